{{- /* Which rows of a table of totals a report is about. */ -}}
{{during .Of.Table .Of.Part}}
  and width = {{.Of.Width}}{{if .Of.HasLevels}} and level = {{.Of.Level}}{{end}}
  and website_id in ({{texts .WebsiteIDs}})
  {{- with .Platforms}}
  and platform in ({{texts .}})
  {{- end}}
  {{- with .BotTypes}}
  and bot_type in ({{texts .}})
  {{- end -}}
