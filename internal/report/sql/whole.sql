{{- /* Which rows of a table of totals a report is about. */ -}}
{{during .Of.Table .Of.Part}}
  and width = {{.Of.Width}}{{if .Of.HasLevels}} and level = {{.Of.Level}}{{end}}
  and {{among "website_id" .WebsiteIDs}}
  {{- with .Platforms}}
  and {{among "platform" .}}
  {{- end}}
  {{- with .BotTypes}}
  and {{among "bot_type" .}}
  {{- end -}}
