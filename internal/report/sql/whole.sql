{{- /* Which rows of the totals a report is about. */ -}}
{{during "totals" .Totals.Part}}
  and width = {{.Totals.Width}} and level = {{.Totals.Level}}
  and website_id in ({{texts .WebsiteIDs}})
  {{- with .Platforms}}
  and platform in ({{texts .}})
  {{- end}}
  {{- with .BotTypes}}
  and bot_type in ({{texts .}})
  {{- end -}}
