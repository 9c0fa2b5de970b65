{{- /* Which answers, mentions or citations a report is about. */ -}}
ts between {{.First}} and {{.Last}}
  and prompt_id in ({{ids .PromptIDs}})
  {{- with .Platforms}}
  and platform in ({{texts .}})
  {{- end -}}
