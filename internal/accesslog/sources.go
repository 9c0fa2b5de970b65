package accesslog

import "bytes"

// Lines of logs in JSON that are no requests.
var (
	skipNoAccess   = &Skip{"not an access log line"}
	skipSubrequest = &Skip{"request of Cloudflare's own"}
	skipNoProxy    = &Skip{"not a request"}
	skipBackground = &Skip{"background revalidation"}
	skipNoTraffic  = &Skip{"log type other than traffic"}
)

// sources are the logs in JSON that are known by their keys.
var sources = []source{
	{
		name: "caddy", title: "Caddy",
		fields: [fieldCount][]string{
			fieldTime: {"ts"}, fieldMethod: {"request.method"}, fieldStatus: {"status"},
			fieldHost: {"request.host"}, fieldTarget: {"request.uri"},
			fieldUserAgent: {"request.headers.User-Agent"}, fieldReferrer: {"request.headers.Referer"},
			fieldIP: {"request.client_ip", "request.remote_ip", "request.remote_addr"},
		},
		signs:  []string{"request.uri"},
		advice: "keep request>headers>User-Agent in the log's format (do not delete request>headers)",
		watch:  [2]string{"logger", "request"},
		guard: func(logger, request scalar) *Skip {
			if logger.kind == kindString && !bytes.HasPrefix(logger.text, []byte("http.log.access")) ||
				logger.kind != kindString && request.kind != kindObject {
				return skipNoAccess
			}
			return nil
		},
	},
	{
		name: "cloudflare", title: "Cloudflare Logpush",
		fields: [fieldCount][]string{
			fieldTime: {"EdgeStartTimestamp"}, fieldMethod: {"ClientRequestMethod"}, fieldStatus: {"EdgeResponseStatus"},
			fieldHost: {"ClientRequestHost"}, fieldTarget: {"ClientRequestURI", "ClientRequestPath"},
			fieldUserAgent: {"ClientRequestUserAgent"}, fieldReferrer: {"ClientRequestReferer"}, fieldIP: {"ClientIP"},
		},
		chosen: true,
		signs:  []string{"EdgeStartTimestamp", "ClientRequestHost", "ClientRequestURI", "ClientRequestPath", "EdgeResponseStatus"},
		advice: "add EdgeStartTimestamp, ClientRequestURI and ClientRequestUserAgent to the fields of the Logpush job",
		watch:  [2]string{"ClientRequestSource", "WorkerSubrequest"},
		guard: func(from, subrequest scalar) *Skip {
			if len(from.text) > 0 && string(from.text) != "eyeball" && string(from.text) != "1" ||
				subrequest.kind == kindBool && len(subrequest.text) > 0 {
				return skipSubrequest
			}
			return nil
		},
	},
	{
		name: "vercel", title: "Vercel",
		fields: [fieldCount][]string{
			fieldTime: {"proxy.timestamp"}, fieldMethod: {"proxy.method"}, fieldStatus: {"proxy.statusCode", "statusCode"},
			fieldHost: {"proxy.host"}, fieldTarget: {"proxy.path"},
			fieldUserAgent: {"proxy.userAgent"}, fieldReferrer: {"proxy.referer"},
			fieldIP: {"proxy.clientIp"}, fieldID: {"requestId"},
		},
		signs:  []string{"deploymentId"},
		advice: "send the log drain with all fields",
		watch:  [2]string{"proxy", "proxy.statusCode"},
		guard: func(proxy, status scalar) *Skip {
			switch {
			case proxy.kind != kindObject:
				return skipNoProxy
			case string(status.text) == "-1":
				return skipBackground
			}
			return nil
		},
	},
	{
		name: "netlify", title: "Netlify",
		fields: [fieldCount][]string{
			fieldTime: {"timestamp"}, fieldMethod: {"method"}, fieldStatus: {"status_code"}, fieldTarget: {"url"},
			fieldUserAgent: {"user_agent"}, fieldReferrer: {"referrer"}, fieldIP: {"client_ip"},
		},
		signs:  []string{"log_type"},
		advice: "switch off \"Exclude personally identifiable information\" in the log drain's settings",
		watch:  [2]string{"log_type"},
		guard: func(logType, _ scalar) *Skip {
			if logType.kind == kindString && string(logType.text) != "traffic" {
				return skipNoTraffic
			}
			return nil
		},
	},
	{
		name: "traefik", title: "Traefik",
		fields: [fieldCount][]string{
			fieldTime: {"time", "StartUTC"}, fieldMethod: {"RequestMethod"}, fieldStatus: {"DownstreamStatus"},
			fieldHost: {"RequestHost"}, fieldTarget: {"RequestPath"},
			fieldUserAgent: {"request_User-Agent"}, fieldReferrer: {"request_Referer"}, fieldIP: {"ClientHost"},
		},
		signs:  []string{"RequestMethod", "RequestPath", "DownstreamStatus"},
		advice: "keep the headers: accessLog.fields.headers.names.User-Agent: keep, and Referer: keep",
		watch:  [2]string{"RequestMethod", "RequestPath"},
		guard: func(method, path scalar) *Skip {
			if method.kind == kindNone && path.kind == kindNone {
				return skipNoAccess
			}
			return nil
		},
	},
	{
		name: "nginx-json", title: "nginx JSON",
		fields: [fieldCount][]string{
			fieldTime:   {"time_iso8601", "time_local", "msec", "@timestamp", "timestamp", "time"},
			fieldMethod: {"request_method", "method"}, fieldStatus: {"status"},
			fieldHost:   {"host", "http_host", "server_name"},
			fieldTarget: {"request_uri"}, fieldRequest: {"request"},
			fieldUserAgent: {"http_user_agent", "user_agent"}, fieldReferrer: {"http_referer", "http_referrer", "referer", "referrer"},
			fieldIP: {"remote_addr", "client_ip"},
		},
		chosen: true, nginx: true,
		signs: []string{"request_uri", "request_method", "remote_addr", "http_user_agent", "time_iso8601", "time_local", "msec"},
		advice: "write $time_iso8601, $request_method, $status, $host, $request_uri, $http_user_agent, $http_referer and $remote_addr, " +
			"each under its own name, with log_format … escape=json",
	},
}
