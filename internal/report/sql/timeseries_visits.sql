{{- /* The rows of a part of the window, from the visits. */ -}}
select {{.Bucket}} as bucket
  {{- range $i, $shown := .Shown}}, {{$shown}} as d{{$i}}{{end}}
  {{- range $i, $metric := .Metrics}},
  {{$metric}} as m{{$i}}{{end}}
from {{within "visits" .Columns .Edge}}
where {{during "visits" .Edge}}
  and {{among "website_id" .WebsiteIDs}}
  {{- with .Who}}
  and {{.}}
  {{- end}}
  {{- with .Platforms}}
  and {{among "platform" .}}
  {{- end}}
  {{- with .BotTypes}}
  and {{among "bot_type" .}}
  {{- end}}
  {{- if not .OnlyPage}}{{with .NormalizedURLPath}}
  and normalized_url_path = {{text .}}
  {{- end}}{{end}}
group by bucket{{range .Keys}}, {{.}}{{end}}
having {{range $i, $metric := .Metrics}}{{if $i}} or {{end}}m{{$i}} > 0{{end}}
