{{- /* Which rows of the totals a report is about. */ -}}
bucket between {{.Totals.First}} and {{.Totals.Last}}
  and width = {{.Totals.Width}} and level = {{.Totals.Level}}
  and website_id in ({{texts .WebsiteIDs}})
  {{- with .Platforms}}
  and platform in ({{texts .}})
  {{- end}}
  {{- with .BotTypes}}
  and bot_type in ({{texts .}})
  {{- end -}}
