{{- /* Which answers, mentions or citations a report is about. */ -}}
{{during "answers" .Part}}
  and prompt_id in ({{ids .PromptIDs}})
  {{- with .Platforms}}
  and platform in ({{texts .}})
  {{- end -}}
