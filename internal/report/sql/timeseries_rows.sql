{{- /* One row per bucket and dimensions; rows of zeros are left out. */ -}}
select {{.Bucket}} as bucket
  {{- range $i, $column := .Dimensions}}, {{$column}} as d{{$i}}{{end}}
  {{- range $i, $metric := .Metrics}},
  {{$metric}} as m{{$i}}{{end}}
from {{table "visits" .Columns}}
where ts between {{.First}} and {{.Last}}
  and website_id in ({{texts .WebsiteIDs}})
  {{- with .Platforms}}
  and platform in ({{texts .}})
  {{- end}}
  {{- with .BotTypes}}
  and bot_type in ({{texts .}})
  {{- end}}
  {{- with .NormalizedURLPath}}
  and normalized_url_path = {{text .}}
  {{- end}}
group by bucket{{dims .Dimensions}}
having {{range $i, $metric := .Metrics}}{{if $i}} or {{end}}m{{$i}} > 0{{end}}
