package demo

import "strings"

var kinds = map[string]kind{
	"app": {
		weekend: 0.5, peak: 14,
		pages: strings.Fields("/ /pricing /features /blog/getting-started /signup /login /templates /integrations /customers /security /changelog /about /contact /careers /download /privacy /terms /status"),
		series: [][2]string{
			{"/blog", `getting-organised how-to-plan-a-sprint weekly-review meeting-notes-that-work remote-team-rituals
				moving-your-notes kanban-for-beginners okr-examples time-tracking-without-pain project-brief-template
				what-we-shipped-in-spring what-we-shipped-in-summer async-stand-ups handover-checklist agency-workflows
				estimating-work focus-hours retrospective-ideas reading-list roadmap-formats sharing-with-clients`},
			{"/features", "handwriting boards timeline search offline automation mobile sharing import export"},
			{"/integrations", "calendar chat email files forms git spreadsheets webhooks"},
			{"/compare", "plankwise boardly sprintnest notegrove pagelark spreadsheets"},
			{"/templates", "sprint marketing-plan wedding lecture-notes product-launch content-calendar"},
		},
	},
	"docs": {
		weekend: 0.4, peak: 13,
		pages: strings.Fields("/ /api/quickstart /guides/install /search /release-notes /faq"),
		series: [][2]string{
			{"/api", "authentication errors paging projects tasks comments users webhooks rate-limits versions search files teams"},
			{"/guides", `time-tracking recurring-tasks gantt-charts guests import-from-csv import-from-plankwise permissions
				single-sign-on backups shortcuts email-to-task custom-fields reports automations mobile offline dashboards`},
			{"/sdk", "go python javascript ruby java php cli"},
			{"/reference", "fields filters formulas limits glossary events scopes time-zones"},
			{"/tutorials", "first-project build-a-bot sync-with-calendar weekly-report client-portal bulk-edit"},
		},
	},
	"shop": {
		weekend: 1.25, peak: 19,
		pages: strings.Fields("/ /tents /footwear/hiking-boots /sale /backpacks /second-hand /returns /stores /cart /account /gift-cards /shipping /about /jobs /size-guide"),
		series: [][2]string{
			{"/tents", "ridge-2 ridge-3 moor-1 moor-2-light basecamp-4 basecamp-6 tarp-3x3 footprint-2 pole-repair-kit guy-lines"},
			{"/footwear", "trail-runner-gtx mud-king fell-boot-wide fell-boot hut-slipper approach-low sandals-tide gaiters"},
			{"/backpacks", "day-18 day-24 tour-45 tour-60 trek-75 kids-12 rain-cover hip-belt"},
			{"/sleeping-bags", "comfort-0 comfort-minus-10 summer-12 quilt-5 liner-silk pillow-air mat-r4 mat-foam"},
			{"/clothing", "shell-jacket down-vest merino-150 merino-200 fleece-mid hiking-trousers rain-skirt cap beanie gloves-liner"},
			{"/cooking", "stove-gas stove-alcohol pot-900 mug-450 spork coffee-dripper water-filter fuel-bottle"},
			{"/guides", "choosing-a-tent boot-fitting layering caring-for-down washing-shells packing-a-backpack"},
		},
	},
	"reviews": {
		weekend: 0.7, peak: 15,
		pages: strings.Fields("/ /best/project-management-software /compare/plankwise-alternatives /about /newsletter /method /archive /contact"),
		series: [][2]string{
			{"/best", `project-management-software note-taking-apps kanban-boards time-trackers whiteboards calendars
				password-managers wikis spreadsheets form-builders invoicing chat-tools free-tools tools-for-agencies tools-for-students`},
			{"/compare", `plankwise-alternatives taskharbor-or-boardly inkfern-or-notegrove sprintnest-alternatives
				boardly-or-plankwise notegrove-or-pagelark pagelark-alternatives`},
			{"/reviews", "taskharbor plankwise boardly sprintnest harbor inkfern notegrove pagelark"},
			{"/prices", "taskharbor plankwise boardly sprintnest harbor inkfern notegrove pagelark"},
			{"/how-to", `choose-software write-a-brief move-between-tools compare-prices plan-a-release run-a-trial
				train-a-team onboard-guests keep-notes cancel-a-plan read-terms`},
		},
	},
	"outdoors": {
		weekend: 1.15, peak: 18,
		pages: strings.Fields("/ /packing-list-hut-to-hut /planning/packing /about /newsletter /archive /contact"),
		series: [][2]string{
			{"/repair", "tent-pole zip-slider sleeping-mat boot-sole seam-tape stove-valve strap-buckle rain-jacket"},
			{"/stories", `three-days-on-the-ridge winter-hut-nights a-week-of-rain first-solo-tour with-children
				by-train-to-the-trailhead sunrise-walk crossing-the-moor slow-kilometres two-bikes-one-tent`},
			{"/planning", "packing maps weather huts budget food water transport safety insurance calendar"},
			{"/huts", "lowmoor highmoor stonegate birchfield northpass lakeside goat-meadow old-mill eagle-rock"},
			{"/skills", "lace-boots read-contours filter-water pitch-in-wind dry-a-tent cross-a-stream cook-with-little pack-light"},
			{"/gear", "two-person-tents hiking-boots rain-jackets trekking-poles down-or-synthetic gas-or-alcohol boots-or-shoes headlamps"},
		},
	},
}

// Files that only machines ask for, and paths that lead nowhere.
var (
	machineFiles = strings.Fields("/robots.txt /sitemap.xml /llms.txt /robots.txt /sitemap.xml /feed.xml")
	assets       = strings.Fields("/assets/app.css /assets/app.js /assets/logo.svg /favicon.ico /assets/hero.webp /assets/font.woff2")
	deadPaths    = strings.Fields("/wp-login.php /.env /old-pricing /blog/deleted-post /wp-admin /api/v0/users /apple-touch-icon")
)
