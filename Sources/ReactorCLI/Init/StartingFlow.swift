// Written from Examples/starts; change the files there and run the tests with RECORD_SNAPSHOTS=1.

/// An example flow with its recordings, for `reactor init --from`.
package struct StartingFlow: Sendable {
  /// The name, which is that of the flow file.
  package let name: String
  /// The flow file, then its recordings; the paths are relative to the project.
  package let files: [(path: String, text: String)]

  /// All examples.
  package static let all: [StartingFlow] = [
    StartingFlow(
      name: "github",
      files: [
        (
          "flows/github.yaml",
          ##"""
          # GitHub-like: the repositories of an organization and the issues of one repository, read with a bearer token.
          # Set the secret GITHUB_TOKEN, a token that may read issues.
          # Change first: 'owner' and 'repository'. For GitHub Enterprise, change 'api' too.
          reactor: 1
          vars:
            api: https://api.github.com
            owner: example-org
            repository: { type: string, default: garden, description: The repository whose issues are read }
          secrets: [GITHUB_TOKEN]

          http:
            base_url: "{{ vars.api }}"
            auth: { bearer: "{{ secrets.GITHUB_TOKEN }}" }
            headers: { Accept: application/vnd.github+json, X-GitHub-Api-Version: 2022-11-28 }

          flows:
            repositories:
              resource: { path: "/orgs/{{ vars.owner }}/repos", query: { per_page: 100 } }
              pages: link  # the URL of the next page is in the Link header
              schema: { key: id, fields: { id: integer, name: string, language: string?, archived: boolean } }
              persistence: { path: out/github/repositories.jsonl, expires_after: 1h }

            issues:
              resource:
                path: "/repos/{{ vars.owner }}/{{ vars.repository }}/issues"
                query: { state: all, sort: created, direction: asc, per_page: 100 }  # an update moves no issue to another page
              pages: link
              cursor: { field: updated_at, query: since, lookback: 1h }  # changes during the last run are requested again
              where: "!has(source.pull_request)"  # this API lists pull requests as issues
              schema:
                key: number
                fields:
                  number: integer
                  title: string
                  state: { type: enum, values: [open, closed] }
                  author: { from: $.user.login, type: string? }  # null if the account was deleted
                  labels: { from: "$.labels[*].name", type: [string] }
                  updated_at: timestamp
              persistence: { path: out/github/issues.jsonl, mode: merge }  # an issue that comes again replaces the old one

          """##
        ),
        (
          "fixtures/github.issues/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "github.issues"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/repos/example-org/garden/issues?direction=asc&page=2&per_page=100&sort=created&state=all"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
                - "X-RateLimit-Limit: 5000"
                - "X-RateLimit-Remaining: 4987"
                - "X-RateLimit-Reset: 1795300000"
              body: '[{"number":3,"id":90003,"title":"Add a watering plan","user":{"login":"octo-example","id":501},"labels":[],"state":"open","created_at":"2025-01-03T08:00:00Z","updated_at":"2025-02-04T07:45:10Z","pull_request":{"url":"{{base}}/repos/example-org/garden/pulls/3"}},{"number":4,"id":90004,"title":"Sensor reports -1 at night","user":{"login":"octo-example","id":501},"labels":[{"id":10,"name":"bug","color":"c5def5"}],"state":"open","created_at":"2025-01-04T08:00:00Z","updated_at":"2025-02-05T22:10:41Z"}]'
            - request: "GET {{base}}/repos/example-org/garden/issues?direction=asc&per_page=100&sort=created&state=all"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
                - "Link: <{{base}}/repos/example-org/garden/issues?state=all&sort=created&direction=asc&per_page=100&page=2>; rel=\"next\", <{{base}}/repos/example-org/garden/issues?state=all&sort=created&direction=asc&per_page=100&page=2>; rel=\"last\""
                - "X-RateLimit-Limit: 5000"
                - "X-RateLimit-Remaining: 4987"
                - "X-RateLimit-Reset: 1795300000"
              body: '[{"number":1,"id":90001,"title":"Gate does not close","user":{"login":"octo-example","id":501},"labels":[{"id":10,"name":"bug","color":"c5def5"}],"state":"open","created_at":"2025-01-01T08:00:00Z","updated_at":"2025-02-01T09:30:00Z"},{"number":2,"id":90002,"title":"Describe the watering plan","user":null,"labels":[{"id":10,"name":"documentation","color":"c5def5"},{"id":11,"name":"good first issue","color":"c5def5"}],"state":"closed","created_at":"2025-01-02T08:00:00Z","updated_at":"2025-02-03T14:05:00Z"}]'

          """##
        ),
        (
          "fixtures/github.issues/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 3,
            "rejected": 0,
            "pages": 2,
            "requests": [
              "GET {{base}}/repos/example-org/garden/issues?direction=asc&page=2&per_page=100&sort=created&state=all -> 200",
              "GET {{base}}/repos/example-org/garden/issues?direction=asc&per_page=100&sort=created&state=all -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "number: integer",
              "title: string",
              "state: enum(open, closed)",
              "author: string",
              "labels: list of string",
              "updated_at: timestamp"
            ],
            "key": [
              "number"
            ],
            "cursor": "2025-02-05T22:10:41Z"
          }

          """##
        ),
        (
          "fixtures/github.issues/records.jsonl",
          ##"""
          {"number":1,"title":"Gate does not close","state":"open","author":"octo-example","labels":["bug"],"updated_at":"2025-02-01T09:30:00Z"}
          {"number":2,"title":"Describe the watering plan","state":"closed","author":null,"labels":["documentation","good first issue"],"updated_at":"2025-02-03T14:05:00Z"}
          {"number":4,"title":"Sensor reports -1 at night","state":"open","author":"octo-example","labels":["bug"],"updated_at":"2025-02-05T22:10:41Z"}

          """##
        ),
        (
          "fixtures/github.repositories/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "github.repositories"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/orgs/example-org/repos?page=2&per_page=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
                - "X-RateLimit-Limit: 5000"
                - "X-RateLimit-Remaining: 4987"
                - "X-RateLimit-Reset: 1795300000"
              body: '[{"id":7003,"name":"old-site","full_name":"example-org/old-site","private":false,"archived":true,"language":"HTML","updated_at":"2023-06-01T08:15:00Z"}]'
            - request: "GET {{base}}/orgs/example-org/repos?per_page=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
                - "Link: <{{base}}/orgs/example-org/repos?per_page=100&page=2>; rel=\"next\", <{{base}}/orgs/example-org/repos?per_page=100&page=2>; rel=\"last\""
                - "X-RateLimit-Limit: 5000"
                - "X-RateLimit-Remaining: 4987"
                - "X-RateLimit-Reset: 1795300000"
              body: '[{"id":7001,"name":"garden","full_name":"example-org/garden","private":false,"archived":false,"language":"Swift","updated_at":"2025-02-05T22:10:42Z"},{"id":7002,"name":"handbook","full_name":"example-org/handbook","private":false,"archived":false,"language":null,"updated_at":"2025-01-20T12:00:00Z"}]'

          """##
        ),
        (
          "fixtures/github.repositories/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 3,
            "rejected": 0,
            "pages": 2,
            "requests": [
              "GET {{base}}/orgs/example-org/repos?page=2&per_page=100 -> 200",
              "GET {{base}}/orgs/example-org/repos?per_page=100 -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "id: integer",
              "name: string",
              "language: string",
              "archived: boolean"
            ],
            "key": [
              "id"
            ]
          }

          """##
        ),
        (
          "fixtures/github.repositories/records.jsonl",
          ##"""
          {"id":7001,"name":"garden","language":"Swift","archived":false}
          {"id":7002,"name":"handbook","language":null,"archived":false}
          {"id":7003,"name":"old-site","language":"HTML","archived":true}

          """##
        ),
      ]),
    StartingFlow(
      name: "stripe",
      files: [
        (
          "flows/stripe.yaml",
          ##"""
          # Stripe-like: charges, read with a secret key as bearer token, each page after the last id of the one before.
          # Set the secret STRIPE_KEY, a restricted key that may read charges.
          # Change first: 'since', the first day to read. For invoices, change the path, the fields and the result.
          reactor: 1
          vars:
            since: { type: date, default: 2024-01-01, description: The first day of charges }
          secrets: [STRIPE_KEY]

          http:
            base_url: https://api.stripe.com/v1
            auth: { bearer: "{{ secrets.STRIPE_KEY }}" }
            headers: { Stripe-Version: 2024-06-20 }  # otherwise the account decides which version responds

          flows:
            charges:
              resource: { path: /charges, query: { limit: 100 } }
              records: $.data[*]
              pages: { by: cursor, from_last: $.id, query: starting_after, more: $.has_more }
              cursor:
                field: created
                start: "{{ vars.since }}"
                query: created[gte]
                format: epoch_s
                lookback: 30d  # refunds and disputes change older charges
              schema:
                key: id
                fields:
                  id: string
                  created: { type: timestamp, format: epoch_s }
                  cents: { from: $.amount, type: integer }
                  amount: { value: "{{ fixed(source.amount / 100, 2) }}", type: decimal }  # wrong for JPY, which has no cents
                  currency: string
                  status: { type: enum, values: [succeeded, pending, failed] }
                  refunded: boolean
                  customer: string?
              persistence: { path: out/stripe/charges.jsonl, mode: merge }

          """##
        ),
        (
          "fixtures/stripe.charges/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "stripe.charges"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/v1/charges?created%5Bgte%5D=1704067200&limit=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"object":"list","data":[{"id":"ch_Example5","object":"charge","amount":750,"amount_refunded":0,"created":1704535200,"currency":"eur","customer":"cus_Example1","livemode":false,"paid":true,"refunded":false,"status":"succeeded"},{"id":"ch_Example4","object":"charge","amount":120000,"amount_refunded":0,"created":1704448800,"currency":"usd","customer":"cus_Example2","livemode":false,"paid":true,"refunded":false,"status":"succeeded"}],"has_more":true,"url":"/v1/charges"}'
            - request: "GET {{base}}/v1/charges?created%5Bgte%5D=1704067200&limit=100&starting_after=ch_Example2"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"object":"list","data":[{"id":"ch_Example1","object":"charge","amount":1999,"amount_refunded":0,"created":1704189600,"currency":"eur","customer":"cus_Example1","livemode":false,"paid":true,"refunded":false,"status":"succeeded"}],"has_more":false,"url":"/v1/charges"}'
            - request: "GET {{base}}/v1/charges?created%5Bgte%5D=1704067200&limit=100&starting_after=ch_Example4"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"object":"list","data":[{"id":"ch_Example3","object":"charge","amount":4905,"amount_refunded":0,"created":1704362400,"currency":"eur","customer":"cus_Example1","livemode":false,"paid":false,"refunded":false,"status":"failed"},{"id":"ch_Example2","object":"charge","amount":2500,"amount_refunded":0,"created":1704276000,"currency":"usd","customer":null,"livemode":false,"paid":true,"refunded":false,"status":"succeeded"}],"has_more":true,"url":"/v1/charges"}'

          """##
        ),
        (
          "fixtures/stripe.charges/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 5,
            "rejected": 0,
            "pages": 3,
            "requests": [
              "GET {{base}}/v1/charges?created%5Bgte%5D=1704067200&limit=100 -> 200",
              "GET {{base}}/v1/charges?created%5Bgte%5D=1704067200&limit=100&starting_after=ch_Example2 -> 200",
              "GET {{base}}/v1/charges?created%5Bgte%5D=1704067200&limit=100&starting_after=ch_Example4 -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "id: string",
              "created: timestamp",
              "cents: integer",
              "amount: decimal",
              "currency: string",
              "status: enum(succeeded, pending, failed)",
              "refunded: boolean",
              "customer: string"
            ],
            "key": [
              "id"
            ],
            "cursor": "2024-01-06T10:00:00Z",
            "order": [
              "id=ch_Example5",
              "id=ch_Example4",
              "id=ch_Example3",
              "id=ch_Example2",
              "id=ch_Example1"
            ]
          }

          """##
        ),
        (
          "fixtures/stripe.charges/records.jsonl",
          ##"""
          {"id":"ch_Example1","created":"2024-01-02T10:00:00Z","cents":1999,"amount":"19.99","currency":"eur","status":"succeeded","refunded":false,"customer":"cus_Example1"}
          {"id":"ch_Example2","created":"2024-01-03T10:00:00Z","cents":2500,"amount":"25.00","currency":"usd","status":"succeeded","refunded":false,"customer":null}
          {"id":"ch_Example3","created":"2024-01-04T10:00:00Z","cents":4905,"amount":"49.05","currency":"eur","status":"failed","refunded":false,"customer":"cus_Example1"}
          {"id":"ch_Example4","created":"2024-01-05T10:00:00Z","cents":120000,"amount":"1200.00","currency":"usd","status":"succeeded","refunded":false,"customer":"cus_Example2"}
          {"id":"ch_Example5","created":"2024-01-06T10:00:00Z","cents":750,"amount":"7.50","currency":"eur","status":"succeeded","refunded":false,"customer":"cus_Example1"}

          """##
        ),
      ]),
    StartingFlow(
      name: "shopify",
      files: [
        (
          "flows/shopify.yaml",
          ##"""
          # Shopify-like: orders with their lines, read with an access token in a header of its own.
          # Set the secret SHOPIFY_TOKEN, the Admin API access token of an app that may read orders.
          # Change first: 'shop', and the version in 'base_url' as your app needs it.
          reactor: 1
          vars:
            shop: { type: string, default: "https://example.myshopify.com", description: The shop's own address }
            since: { type: date, default: 2024-01-01 }
          secrets: [SHOPIFY_TOKEN]

          http:
            base_url: "{{ vars.shop }}/admin/api/2025-01"
            auth: { api_key: { header: X-Shopify-Access-Token, value: "{{ secrets.SHOPIFY_TOKEN }}" } }
            rate: 2/s  # the limit of most shops; its header X-Shopify-Shop-Api-Call-Limit says no time at which to go on

          flows:
            orders:
              resource: { path: /orders.json, query: { status: any, limit: 250 } }  # without 'any', only open orders
              records: $.orders[*]
              pages: link  # its URLs have 'page_info' in place of the other parameters
              cursor: { field: updated_at, start: "{{ vars.since }}", query: updated_at_min, lookback: 10m }
              schema:
                key: id
                fields:
                  id: integer
                  name: string
                  customer_id: { from: $.customer.id, type: integer? }  # guests have no customer
                  total_price: decimal
                  currency: string
                  financial_status: string?
                  lines:
                    from: $.line_items
                    type: [{ type: object, fields: { sku: string?, quantity: integer, price: decimal } }]
                  updated_at: timestamp
              persistence: { path: out/shopify/orders.jsonl, mode: merge }

          """##
        ),
        (
          "fixtures/shopify.orders/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "shopify.orders"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/admin/api/2025-01/orders.json?limit=250&page_info=WyIyMDI0LTAxLTAxVDAwOjAwOjAwWiIsIDJd"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
                - "X-Shopify-Shop-Api-Call-Limit: 1/40"
              body: '{"orders":[{"id":5503,"name":"#1003","created_at":"2025-03-03T10:00:00-05:00","currency":"EUR","customer":{"id":8102},"financial_status":"paid","line_items":[{"id":55030,"sku":"CUP-9","quantity":1,"price":"5.00"}],"total_price":"5.00","updated_at":"2025-03-04T09:00:00-05:00"}]}'
            - request: "GET {{base}}/admin/api/2025-01/orders.json?limit=250&status=any&updated_at_min=2024-01-01T00%3A00%3A00Z"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
                - "Link: <{{base}}/admin/api/2025-01/orders.json?limit=250&page_info=WyIyMDI0LTAxLTAxVDAwOjAwOjAwWiIsIDJd>; rel=\"next\""
                - "X-Shopify-Shop-Api-Call-Limit: 1/40"
              body: '{"orders":[{"id":5501,"name":"#1001","created_at":"2025-03-01T10:00:00-05:00","currency":"EUR","customer":{"id":8101},"financial_status":"paid","line_items":[{"id":55010,"sku":"POT-3","quantity":1,"price":"24.90"}],"total_price":"24.90","updated_at":"2025-03-01T10:05:00-05:00"},{"id":5502,"name":"#1002","created_at":"2025-03-02T10:00:00-05:00","currency":"EUR","customer":null,"financial_status":"pending","line_items":[{"id":55020,"sku":"TEA-1","quantity":2,"price":"7.45"},{"id":55021,"sku":null,"quantity":1,"price":"5.00"}],"total_price":"19.90","updated_at":"2025-03-02T18:30:12-05:00"}]}'

          """##
        ),
        (
          "fixtures/shopify.orders/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 3,
            "rejected": 0,
            "pages": 2,
            "requests": [
              "GET {{base}}/admin/api/2025-01/orders.json?limit=250&page_info=WyIyMDI0LTAxLTAxVDAwOjAwOjAwWiIsIDJd -> 200",
              "GET {{base}}/admin/api/2025-01/orders.json?limit=250&status=any&updated_at_min=2024-01-01T00%3A00%3A00Z -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "id: integer",
              "name: string",
              "customer_id: integer",
              "total_price: decimal",
              "currency: string",
              "financial_status: string",
              "lines: list of object(sku: string, quantity: integer, price: decimal)",
              "updated_at: timestamp"
            ],
            "key": [
              "id"
            ],
            "cursor": "2025-03-04T14:00:00Z"
          }

          """##
        ),
        (
          "fixtures/shopify.orders/records.jsonl",
          ##"""
          {"id":5501,"name":"#1001","customer_id":8101,"total_price":"24.90","currency":"EUR","financial_status":"paid","lines":[{"sku":"POT-3","quantity":1,"price":"24.90"}],"updated_at":"2025-03-01T15:05:00Z"}
          {"id":5502,"name":"#1002","customer_id":null,"total_price":"19.90","currency":"EUR","financial_status":"pending","lines":[{"sku":"TEA-1","quantity":2,"price":"7.45"},{"sku":null,"quantity":1,"price":"5.00"}],"updated_at":"2025-03-02T23:30:12Z"}
          {"id":5503,"name":"#1003","customer_id":8102,"total_price":"5.00","currency":"EUR","financial_status":"paid","lines":[{"sku":"CUP-9","quantity":1,"price":"5.00"}],"updated_at":"2025-03-04T14:00:00Z"}

          """##
        ),
      ]),
    StartingFlow(
      name: "jira",
      files: [
        (
          "flows/jira.yaml",
          ##"""
          # Jira-like: the issues of a project by a search, read with a mail address and an API token, by offset.
          # Set the secret JIRA_TOKEN. Change first: 'site', 'mail', 'project', and the fields.
          # For Jira Cloud write '/rest/api/3', '/search/jql' and, in place of 'pages' and 'expect':
          #   pages: { by: cursor, from: $.nextPageToken, query: nextPageToken, missing: end }
          reactor: 1
          vars:
            site: { type: string, default: "https://example.atlassian.net" }
            mail: { type: string, default: reader@example.com, description: Whose token it is }
            project: GARDEN
          secrets: [JIRA_TOKEN]

          http:
            base_url: "{{ vars.site }}/rest/api/2"
            auth: { basic: { username: "{{ vars.mail }}", password: "{{ secrets.JIRA_TOKEN }}" } }

          flows:
            issues:
              resource:
                path: /search
                query:
                  jql: project = "{{ vars.project }}" AND updated >= "{{ cursor.start }}" ORDER BY created ASC
                  fields: summary,status,assignee,labels,updated
              records: $.issues[*]
              pages: { by: offset, query: startAt, size: 100, size_query: maxResults }
              # JQL reads times in the zone of your profile: if that is not UTC, add zone: Europe/Berlin (or yours).
              cursor: { field: updated, start: 2024-01-01, format: "%Y-%m-%d %H:%M", lookback: 1h }
              schema:
                key: key
                fields:
                  key: string
                  summary: { from: $.fields.summary, type: string }
                  status: { from: $.fields.status.name, type: string }
                  done: { value: "{{ source.fields.status.statusCategory.key == 'done' }}", type: boolean }
                  assignee: { from: $.fields.assignee.displayName, type: string? }  # null while nobody has the issue
                  labels: { from: $.fields.labels, type: [string] }
                  updated: { from: $.fields.updated, type: timestamp }
              persistence: { path: out/jira/issues.jsonl, mode: merge }
              expect: { total: $.total }  # fewer or more records than the search found fail the flow

          """##
        ),
        (
          "fixtures/jira.issues/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "jira.issues"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/rest/api/2/search?fields=summary%2Cstatus%2Cassignee%2Clabels%2Cupdated&jql=project%20%3D%20%22GARDEN%22%20AND%20updated%20%3E%3D%20%222024-01-01%2000%3A00%22%20ORDER%20BY%20created%20ASC&maxResults=100&startAt=0"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"startAt":0,"maxResults":2,"total":3,"issues":[{"key":"GARDEN-1","id":"10101","fields":{"summary":"Order seeds","status":{"name":"Done","statusCategory":{"key":"done"}},"assignee":{"displayName":"Example User"},"labels":["spring"],"updated":"2025-01-10T09:15:30.120+0000"}},{"key":"GARDEN-2","id":"10102","fields":{"summary":"Repair the gate","status":{"name":"In Progress","statusCategory":{"key":"indeterminate"}},"assignee":{"displayName":"Example User"},"labels":[],"updated":"2025-01-12T16:40:05.007+0000"}}]}'
            - request: "GET {{base}}/rest/api/2/search?fields=summary%2Cstatus%2Cassignee%2Clabels%2Cupdated&jql=project%20%3D%20%22GARDEN%22%20AND%20updated%20%3E%3D%20%222024-01-01%2000%3A00%22%20ORDER%20BY%20created%20ASC&maxResults=100&startAt=2"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"startAt":2,"maxResults":2,"total":3,"issues":[{"key":"GARDEN-3","id":"10103","fields":{"summary":"Plan the beds","status":{"name":"To Do","statusCategory":{"key":"new"}},"assignee":null,"labels":["spring","plan"],"updated":"2025-01-13T07:00:59.900+0000"}}]}'

          """##
        ),
        (
          "fixtures/jira.issues/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 3,
            "rejected": 0,
            "pages": 2,
            "requests": [
              "GET {{base}}/rest/api/2/search?fields=summary%2Cstatus%2Cassignee%2Clabels%2Cupdated&jql=project%20%3D%20%22GARDEN%22%20AND%20updated%20%3E%3D%20%222024-01-01%2000%3A00%22%20ORDER%20BY%20created%20ASC&maxResults=100&startAt=0 -> 200",
              "GET {{base}}/rest/api/2/search?fields=summary%2Cstatus%2Cassignee%2Clabels%2Cupdated&jql=project%20%3D%20%22GARDEN%22%20AND%20updated%20%3E%3D%20%222024-01-01%2000%3A00%22%20ORDER%20BY%20created%20ASC&maxResults=100&startAt=2 -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "key: string",
              "summary: string",
              "status: string",
              "done: boolean",
              "assignee: string",
              "labels: list of string",
              "updated: timestamp"
            ],
            "key": [
              "key"
            ],
            "cursor": "2025-01-13T07:00:59.9Z"
          }

          """##
        ),
        (
          "fixtures/jira.issues/records.jsonl",
          ##"""
          {"key":"GARDEN-1","summary":"Order seeds","status":"Done","done":true,"assignee":"Example User","labels":["spring"],"updated":"2025-01-10T09:15:30.12Z"}
          {"key":"GARDEN-2","summary":"Repair the gate","status":"In Progress","done":false,"assignee":"Example User","labels":[],"updated":"2025-01-12T16:40:05.007Z"}
          {"key":"GARDEN-3","summary":"Plan the beds","status":"To Do","done":false,"assignee":null,"labels":["spring","plan"],"updated":"2025-01-13T07:00:59.9Z"}

          """##
        ),
      ]),
    StartingFlow(
      name: "salesforce",
      files: [
        (
          "flows/salesforce.yaml",
          ##"""
          # Salesforce-like: accounts by a SOQL query, read with a token for the client's own credentials (OAuth 2).
          # Set the secret SALESFORCE_CLIENT_SECRET. Change first: 'org' and 'client_id'.
          # For another object, change its name in the query and the fields of the schema: they are the query's columns.
          reactor: 1
          vars:
            org: { type: string, default: "https://example.my.salesforce.com", description: The address of your domain }
            client_id: { type: string, default: example-client-id, description: The consumer key of the connected app }
          secrets: [SALESFORCE_CLIENT_SECRET]

          http:
            base_url: "{{ vars.org }}"
            auth:
              oauth2:
                url: "{{ vars.org }}/services/oauth2/token"
                client_id: "{{ vars.client_id }}"
                client_secret: "{{ secrets.SALESFORCE_CLIENT_SECRET }}"
                send: body

          flows:
            accounts:
              resource:
                path: /services/data/v60.0/queryAll  # queryAll also gives deleted records; query does not
                query:
                  q: SELECT {{ join(schema.fields, ', ') }}, IsDeleted FROM Account WHERE SystemModstamp >= {{ cursor.start }}
              records: $.records[*]
              pages: { by: next_url, from: $.nextRecordsUrl, stop: response.done }
              cursor: { field: SystemModstamp, start: 2024-01-01T00:00:00Z, lookback: 10m }
              schema:
                key: Id
                fields:
                  Id: string
                  Name: string
                  Industry: string?
                  AnnualRevenue: decimal?
                  SystemModstamp: timestamp
              persistence: { path: out/salesforce/accounts.jsonl, mode: merge, delete_when: source.IsDeleted }
              expect: { total: $.totalSize }

          """##
        ),
        (
          "fixtures/salesforce.accounts/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "salesforce.accounts"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/services/data/v60.0/queryAll?q=SELECT%20Id%2C%20Name%2C%20Industry%2C%20AnnualRevenue%2C%20SystemModstamp%2C%20IsDeleted%20FROM%20Account%20WHERE%20SystemModstamp%20%3E%3D%202024-01-01T00%3A00%3A00Z"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"totalSize":4,"done":false,"nextRecordsUrl":"/services/data/v60.0/queryAll/01gxx00000EXAMPLE-2","records":[{"attributes":{"type":"Account","url":"/services/data/v60.0/sobjects/Account/001xx0000000001AAA"},"Id":"001xx0000000001AAA","Name":"Example Garden Supplies","Industry":"Retail","AnnualRevenue":1250000.0,"SystemModstamp":"2025-01-08T10:00:00.000+0000","IsDeleted":false},{"attributes":{"type":"Account","url":"/services/data/v60.0/sobjects/Account/001xx0000000002AAA"},"Id":"001xx0000000002AAA","Name":"Example Tea Import","Industry":null,"AnnualRevenue":null,"SystemModstamp":"2025-01-09T11:30:00.000+0000","IsDeleted":false}]}'
            - request: "GET {{base}}/services/data/v60.0/queryAll/01gxx00000EXAMPLE-2"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"totalSize":4,"done":true,"records":[{"attributes":{"type":"Account","url":"/services/data/v60.0/sobjects/Account/001xx0000000003AAA"},"Id":"001xx0000000003AAA","Name":"Sample Pottery","Industry":"Manufacturing","AnnualRevenue":830500.5,"SystemModstamp":"2025-01-09T11:45:12.000+0000","IsDeleted":false},{"attributes":{"type":"Account","url":"/services/data/v60.0/sobjects/Account/001xx0000000004AAA"},"Id":"001xx0000000004AAA","Name":"Closed Example","Industry":"Retail","AnnualRevenue":null,"SystemModstamp":"2025-01-10T08:00:00.000+0000","IsDeleted":true}]}'
            - request: "POST {{base}}/services/oauth2/token"
              request_body: "grant_type=client_credentials&client_id=example-client-id&client_secret={{secret:SALESFORCE_CLIENT_SECRET}}"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"access_token":"{{secret:learnt}}","instance_url":"{{base}}","token_type":"Bearer"}'

          """##
        ),
        (
          "fixtures/salesforce.accounts/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 3,
            "rejected": 0,
            "pages": 2,
            "requests": [
              "GET {{base}}/services/data/v60.0/queryAll?q=SELECT%20Id%2C%20Name%2C%20Industry%2C%20AnnualRevenue%2C%20SystemModstamp%2C%20IsDeleted%20FROM%20Account%20WHERE%20SystemModstamp%20%3E%3D%202024-01-01T00%3A00%3A00Z -> 200",
              "GET {{base}}/services/data/v60.0/queryAll/01gxx00000EXAMPLE-2 -> 200",
              "POST {{base}}/services/oauth2/token -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "Id: string",
              "Name: string",
              "Industry: string",
              "AnnualRevenue: decimal",
              "SystemModstamp: timestamp"
            ],
            "key": [
              "Id"
            ],
            "cursor": "2025-01-10T08:00:00Z"
          }

          """##
        ),
        (
          "fixtures/salesforce.accounts/records.jsonl",
          ##"""
          {"Id":"001xx0000000001AAA","Name":"Example Garden Supplies","Industry":"Retail","AnnualRevenue":"1250000.0","SystemModstamp":"2025-01-08T10:00:00Z"}
          {"Id":"001xx0000000002AAA","Name":"Example Tea Import","Industry":null,"AnnualRevenue":null,"SystemModstamp":"2025-01-09T11:30:00Z"}
          {"Id":"001xx0000000003AAA","Name":"Sample Pottery","Industry":"Manufacturing","AnnualRevenue":"830500.5","SystemModstamp":"2025-01-09T11:45:12Z"}

          """##
        ),
      ]),
    StartingFlow(
      name: "feed",
      files: [
        (
          "flows/feed.yaml",
          ##"""
          # A data feed: exchange rates of the last days as one CSV file, without credentials.
          # Set no secret. Change first: 'base_url' and the path, then the columns in the schema, and 'currencies'.
          # An expired file is requested with its ETag, so an unchanged one is not sent again.
          reactor: 1
          vars:
            currencies: { type: list, default: [USD, CHF], description: The currencies to keep }

          http: { base_url: https://rates.example.com }

          flows:
            rates:
              resource: /daily.csv
              decode: { format: csv, delimiter: ";" }
              schema:
                key: [day, currency]  # one rate for each currency and day
                fields:
                  day: { from: $.Date, type: date }
                  currency: { from: $.Currency, type: string }
                  rate: { from: $.Rate, type: decimal }  # exact, unlike number
              where: record.currency in vars.currencies
              expect: { min: 1, max_rejected: 0 }  # a feed in another form fails, and the last result stays
              persistence: { path: out/feed/rates.csv, expires_after: 6h }  # until then no request is sent

          """##
        ),
        (
          "fixtures/feed.rates/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "feed.rates"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/daily.csv"
              status: 200
              headers:
                - "Content-Type: text/csv; charset=utf-8"
                - "ETag: \"2025-05-06\""
              body: |2+
                Date;Currency;Rate
                2025-05-05;USD;1.1343
                2025-05-05;CHF;0.9354
                2025-05-05;JPY;163.61
                2025-05-06;USD;1.1325
                2025-05-06;CHF;0.9337
                2025-05-06;JPY;161.93

          """##
        ),
        (
          "fixtures/feed.rates/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 4,
            "rejected": 0,
            "pages": 1,
            "requests": [
              "GET {{base}}/daily.csv -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "day: date",
              "currency: string",
              "rate: decimal"
            ],
            "key": [
              "day",
              "currency"
            ],
            "order": [
              "day=2025-05-05,currency=USD",
              "day=2025-05-05,currency=CHF",
              "day=2025-05-06,currency=USD",
              "day=2025-05-06,currency=CHF"
            ]
          }

          """##
        ),
        (
          "fixtures/feed.rates/records.jsonl",
          ##"""
          {"day":"2025-05-05","currency":"CHF","rate":"0.9354"}
          {"day":"2025-05-05","currency":"USD","rate":"1.1343"}
          {"day":"2025-05-06","currency":"CHF","rate":"0.9337"}
          {"day":"2025-05-06","currency":"USD","rate":"1.1325"}

          """##
        ),
      ]),
    StartingFlow(
      name: "graphql",
      files: [
        (
          "flows/graphql.yaml",
          ##"""
          # A GraphQL API: products with cursor pages, read with a bearer token.
          # Set the secret GRAPHQL_TOKEN.
          # Change first: 'api', then the query, and 'products' in the paths that begin with '$.data'.
          reactor: 1
          vars: { api: "https://api.example.com" }
          secrets: [GRAPHQL_TOKEN]

          http: { base_url: "{{ vars.api }}", auth: { bearer: "{{ secrets.GRAPHQL_TOKEN }}" } }

          flows:
            products:
              resource:
                method: POST
                path: /graphql
                body:
                  graphql:
                    query: |
                      query Products($after: String, $since: DateTime) {
                        products(first: 100, after: $after, updatedSince: $since) {
                          nodes { id title category { name } price updatedAt }
                          pageInfo { endCursor hasNextPage } } }
                    variables: { since: "{{ cursor.start }}" }
              records: $.data.products.nodes[*]
              pages:
                by: cursor
                from: $.data.products.pageInfo.endCursor
                more: $.data.products.pageInfo.hasNextPage
                body: $.variables.after
              cursor: { field: updatedAt, start: 2024-01-01T00:00:00Z }
              retry: { idempotency: true }  # a query changes nothing, so this POST may be sent again
              schema:
                key: id
                fields:
                  id: string
                  title: string
                  category: { from: $.category.name, type: string? }
                  price: decimal
                  updatedAt: timestamp
              persistence: { path: out/graphql/products.jsonl, mode: merge }

          """##
        ),
        (
          "fixtures/graphql.products/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "graphql.products"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "POST {{base}}/graphql"
              request_body: '{"query":"query Products($after: String, $since: DateTime) {\n  products(first: 100, after: $after, updatedSince: $since) {\n    nodes { id title category { name } price updatedAt }\n    pageInfo { endCursor hasNextPage } } }\n","variables":{"after":"b2Zmc2V0OjI=","since":"2024-01-01T00:00:00Z"}}'
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"data":{"products":{"nodes":[{"id":"prd_03","title":"Gift card","category":null,"price":"20.00","updatedAt":"2025-04-02T12:00:00Z"},{"id":"prd_04","title":"Garden bench","category":{"name":"Outdoor"},"price":"149.00","updatedAt":"2025-04-03T16:20:00Z"}],"pageInfo":{"endCursor":"b2Zmc2V0OjQ=","hasNextPage":true}}}}'
            - request: "POST {{base}}/graphql"
              request_body: '{"query":"query Products($after: String, $since: DateTime) {\n  products(first: 100, after: $after, updatedSince: $since) {\n    nodes { id title category { name } price updatedAt }\n    pageInfo { endCursor hasNextPage } } }\n","variables":{"after":"b2Zmc2V0OjQ=","since":"2024-01-01T00:00:00Z"}}'
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"data":{"products":{"nodes":[{"id":"prd_05","title":"Sencha","category":{"name":"Tea"},"price":"7.45","updatedAt":"2025-04-03T17:00:00Z"}],"pageInfo":{"endCursor":"b2Zmc2V0OjU=","hasNextPage":false}}}}'
            - request: "POST {{base}}/graphql"
              request_body: '{"query":"query Products($after: String, $since: DateTime) {\n  products(first: 100, after: $after, updatedSince: $since) {\n    nodes { id title category { name } price updatedAt }\n    pageInfo { endCursor hasNextPage } } }\n","variables":{"since":"2024-01-01T00:00:00Z"}}'
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"data":{"products":{"nodes":[{"id":"prd_01","title":"Teapot","category":{"name":"Kitchen"},"price":"24.90","updatedAt":"2025-04-01T08:00:00Z"},{"id":"prd_02","title":"Cup, small","category":{"name":"Kitchen"},"price":"5.00","updatedAt":"2025-04-01T08:05:00Z"}],"pageInfo":{"endCursor":"b2Zmc2V0OjI=","hasNextPage":true}}}}'

          """##
        ),
        (
          "fixtures/graphql.products/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 5,
            "rejected": 0,
            "pages": 3,
            "requests": [
              "POST {{base}}/graphql -> 200",
              "POST {{base}}/graphql -> 200",
              "POST {{base}}/graphql -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "id: string",
              "title: string",
              "category: string",
              "price: decimal",
              "updatedAt: timestamp"
            ],
            "key": [
              "id"
            ],
            "cursor": "2025-04-03T17:00:00Z"
          }

          """##
        ),
        (
          "fixtures/graphql.products/records.jsonl",
          ##"""
          {"id":"prd_01","title":"Teapot","category":"Kitchen","price":"24.90","updatedAt":"2025-04-01T08:00:00Z"}
          {"id":"prd_02","title":"Cup, small","category":"Kitchen","price":"5.00","updatedAt":"2025-04-01T08:05:00Z"}
          {"id":"prd_03","title":"Gift card","category":null,"price":"20.00","updatedAt":"2025-04-02T12:00:00Z"}
          {"id":"prd_04","title":"Garden bench","category":"Outdoor","price":"149.00","updatedAt":"2025-04-03T16:20:00Z"}
          {"id":"prd_05","title":"Sencha","category":"Tea","price":"7.45","updatedAt":"2025-04-03T17:00:00Z"}

          """##
        ),
      ]),
    StartingFlow(
      name: "report",
      files: [
        (
          "flows/report.yaml",
          ##"""
          # An asynchronous report: a POST starts it, its state is polled, and its result is a CSV file.
          # Set the secret REPORT_KEY.
          # Change first: 'base_url', the body of the request, and the names of the states in 'job'.
          reactor: 1
          vars:
            from: { type: date, value: "{{ format(add(now(), -30, 'day'), '%Y-%m-%d') }}" }  # 30 days ago
          secrets: [REPORT_KEY]

          http:
            base_url: https://api.example.com/v1
            auth: { api_key: { header: X-API-Key, value: "{{ secrets.REPORT_KEY }}" } }

          flows:
            visits:
              resource:
                method: POST
                path: /reports
                body: { json: { type: visits, from: "{{ vars.from }}", format: csv } }
              job:
                id: response.id
                poll: "/reports/{{ job.id }}"
                wait: 2s  # doubles after each poll
                running: response.state in ['queued', 'running']  # any other state is an error
                failed: response.state == 'failed'
                done: response.state == 'done'
                urls: response.url
                deadline: 30m
              decode: csv
              schema:
                key: [day, page]
                fields: { day: date, page: string, visits: integer, seconds: { from: $.avg_seconds, type: number? } }
              persistence: { path: out/report/visits.csv, expires_after: 12h }  # until then no report is started

          """##
        ),
        (
          "fixtures/report.visits/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "report.visits"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "POST {{base}}/v1/reports"
              request_body: '{"format":"csv","from":"2026-10-29","type":"visits"}'
              status: 202
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"id":"rep_4101","state":"queued"}'
            - request: "GET {{base}}/v1/reports/rep_4101"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"id":"rep_4101","state":"running","progress":40}'
            - request: "GET {{base}}/v1/reports/rep_4101"
              occurrence: 2
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"id":"rep_4101","state":"done","progress":100,"url":"{{base}}/v1/reports/rep_4101/result.csv"}'
            - request: "GET {{base}}/v1/reports/rep_4101/result.csv"
              status: 200
              headers:
                - "Content-Type: text/csv; charset=utf-8"
              body: |2+
                day,page,visits,avg_seconds
                2025-06-01,/,412,38.5
                2025-06-01,/garden,96,71.25
                2025-06-02,/,388,40
                2025-06-02,/garden,0,

          """##
        ),
        (
          "fixtures/report.visits/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 4,
            "rejected": 0,
            "pages": 1,
            "requests": [
              "POST {{base}}/v1/reports -> 202",
              "GET {{base}}/v1/reports/rep_4101 -> 200",
              "GET {{base}}/v1/reports/rep_4101 #2 -> 200",
              "GET {{base}}/v1/reports/rep_4101/result.csv -> 200"
            ],
            "waits_ms": [
              2000,
              4000
            ],
            "fields": [
              "day: date",
              "page: string",
              "visits: integer",
              "seconds: number"
            ],
            "key": [
              "day",
              "page"
            ]
          }

          """##
        ),
        (
          "fixtures/report.visits/records.jsonl",
          ##"""
          {"day":"2025-06-01","page":"/","visits":412,"seconds":38.5}
          {"day":"2025-06-01","page":"/garden","visits":96,"seconds":71.25}
          {"day":"2025-06-02","page":"/","visits":388,"seconds":40}
          {"day":"2025-06-02","page":"/garden","visits":0,"seconds":null}

          """##
        ),
      ]),
    StartingFlow(
      name: "push",
      files: [
        (
          "flows/push.yaml",
          ##"""
          # A push: customers of a shop are sent to a CRM, two hundred in one request, and only those that are new or changed.
          # Set the secrets SHOP_TOKEN (reads customers) and CRM_TOKEN (writes contacts).
          # Change first: both 'base_url', the paths, and the schema 'contact', which says how a customer is written.
          reactor: 1
          secrets: [SHOP_TOKEN, CRM_TOKEN]

          schemas:
            contact:  # the names are those of 'customers', the paths those of the body that is sent
              fields:
                id: { from: $.external_id, type: string }
                name: { from: $.profile.name, type: string }
                city: { from: $.profile.city, type: string? }

          flows:
            customers:
              http: { base_url: https://shop.example.com/api, auth: { bearer: "{{ secrets.SHOP_TOKEN }}" } }
              resource: /customers
              records: $.customers[*]
              schema: { key: id, fields: { id: string, name: string, city: string? } }

            contacts:
              http: { base_url: https://crm.example.com/v2, auth: { bearer: "{{ secrets.CRM_TOKEN }}" } }
              each:
                flow: customers
                key: id
                only: changed  # a customer whose record is as it was at the last successful request is not sent
                batch: { size: 200, records: "$.results[*]", failed: result.status >= 400, message: string(result.error) }
              resource:
                method: POST
                path: /contacts/batch
                idempotency: Idempotency-Key  # so a request whose response was lost can be sent again without a second effect
                body: { records: { schema: contact, path: $.contacts } }
              records: $.results[*]
              where: source.status < 400  # a refused contact has a result too
              schema: { key: external_id, fields: { external_id: string, contact_id: { from: $.id, type: integer } } }
              persistence: { path: out/push/contacts.jsonl, mode: merge }
              rejected: out/push/rejected.jsonl  # what the CRM refused, and why; the next run sends it again

          """##
        ),
        (
          "fixtures/push.contacts/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "push.contacts"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "POST {{base}}/v2/contacts/batch"
              request_body: '{"contacts":[{"external_id":"c-101","profile":{"city":"Springfield","name":"Example Garden Supplies"}},{"external_id":"c-102","profile":{"name":"Sample Pottery"}},{"external_id":"c-103","profile":{"city":"Rivertown","name":"Test Tea Import"}}]}'
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"results":[{"external_id":"c-101","status":201,"id":9101},{"external_id":"c-102","status":201,"id":9102},{"external_id":"c-103","status":201,"id":9103}]}'

          """##
        ),
        (
          "fixtures/push.contacts/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 3,
            "rejected": 0,
            "pages": 1,
            "requests": [
              "POST {{base}}/v2/contacts/batch -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "external_id: string",
              "contact_id: integer"
            ],
            "key": [
              "external_id"
            ]
          }

          """##
        ),
        (
          "fixtures/push.contacts/records.jsonl",
          ##"""
          {"external_id":"c-101","contact_id":9101}
          {"external_id":"c-102","contact_id":9102}
          {"external_id":"c-103","contact_id":9103}

          """##
        ),
        (
          "fixtures/push.customers/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "push.customers"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/api/customers"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"customers":[{"id":"c-101","name":"Example Garden Supplies","city":"Springfield","since":"2023-05-01"},{"id":"c-102","name":"Sample Pottery","city":null,"since":"2023-09-12"},{"id":"c-103","name":"Test Tea Import","city":"Rivertown","since":"2024-02-20"}]}'

          """##
        ),
        (
          "fixtures/push.customers/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 3,
            "rejected": 0,
            "pages": 1,
            "requests": [
              "GET {{base}}/api/customers -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "id: string",
              "name: string",
              "city: string"
            ],
            "key": [
              "id"
            ]
          }

          """##
        ),
        (
          "fixtures/push.customers/records.jsonl",
          ##"""
          {"id":"c-101","name":"Example Garden Supplies","city":"Springfield"}
          {"id":"c-102","name":"Sample Pottery","city":null}
          {"id":"c-103","name":"Test Tea Import","city":"Rivertown"}

          """##
        ),
      ]),
    StartingFlow(
      name: "children",
      files: [
        (
          "flows/children.yaml",
          ##"""
          # Parents and their children: projects, and the tasks of each project, into two tables of an SQLite file.
          # Set the secret PROJECTS_TOKEN.
          # Change first: 'base_url', the two paths, and the fields of the schemas.
          reactor: 1
          secrets: [PROJECTS_TOKEN]

          stores:
            work: { sqlite: out/children/work.db }  # the first run creates it with its tables

          http:
            base_url: https://projects.example.com/api
            auth: { bearer: "{{ secrets.PROJECTS_TOKEN }}" }

          flows:
            projects:
              resource: /projects
              records: $.items[*]
              pages: { by: page, query: page, size: 100, size_query: per_page, count: $.pages }
              schema: { key: id, fields: { id: integer, name: string, owner: { from: $.owner.name, type: string? } } }
              expect: { min: 1 }  # an empty list would empty both tables
              persistence: { store: work, table: projects }

            tasks:
              each: { flow: projects, as: project }  # one request for each project; one that fails keeps its earlier tasks
              resource: "/projects/{{ project.id }}/tasks"
              records: $.items[*]
              pages: { by: page, query: page, size: 100, size_query: per_page, count: $.pages }
              schema:
                key: [project_id, number]  # a number is unique within its project only
                fields:
                  project_id: { value: "{{ project.id }}", type: integer }
                  number: integer
                  title: string
                  done: boolean
                  due: date?
              persistence: { store: work, table: tasks }

          """##
        ),
        (
          "fixtures/children.projects/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "children.projects"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/api/projects?page=1&per_page=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"page":1,"pages":2,"items":[{"id":11,"name":"Garden","owner":{"id":1,"name":"Example User"}},{"id":12,"name":"Website","owner":null}]}'
            - request: "GET {{base}}/api/projects?page=2&per_page=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"page":2,"pages":2,"items":[{"id":13,"name":"Archive","owner":{"id":2,"name":"Second User"}}]}'

          """##
        ),
        (
          "fixtures/children.projects/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 3,
            "rejected": 0,
            "pages": 2,
            "requests": [
              "GET {{base}}/api/projects?page=1&per_page=100 -> 200",
              "GET {{base}}/api/projects?page=2&per_page=100 -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "id: integer",
              "name: string",
              "owner: string"
            ],
            "key": [
              "id"
            ]
          }

          """##
        ),
        (
          "fixtures/children.projects/records.jsonl",
          ##"""
          {"id":11,"name":"Garden","owner":"Example User"}
          {"id":12,"name":"Website","owner":null}
          {"id":13,"name":"Archive","owner":"Second User"}

          """##
        ),
        (
          "fixtures/children.tasks/cassette.yaml",
          ##"""
          # Written by 'reactor record'. {{base}} is the flow's server; secrets are {{secret:NAME}}.
          cassette: 1
          flow: "children.tasks"
          recorded_at: "2026-11-28T07:38:21Z"
          tool: "0.1.0"
          entries:
            - request: "GET {{base}}/api/projects/11/tasks?page=1&per_page=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"page":1,"pages":2,"items":[{"number":1,"title":"Order seeds","done":true,"due":"2025-03-01"},{"number":2,"title":"Repair the gate","done":false,"due":null}]}'
            - request: "GET {{base}}/api/projects/11/tasks?page=2&per_page=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"page":2,"pages":2,"items":[{"number":3,"title":"Plan the beds","done":false,"due":"2025-04-15"}]}'
            - request: "GET {{base}}/api/projects/12/tasks?page=1&per_page=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"page":1,"pages":1,"items":[{"number":1,"title":"Choose colours","done":false,"due":null}]}'
            - request: "GET {{base}}/api/projects/13/tasks?page=1&per_page=100"
              status: 200
              headers:
                - "Content-Type: application/json; charset=utf-8"
              body: '{"page":1,"pages":0,"items":[]}'

          """##
        ),
        (
          "fixtures/children.tasks/flow.json",
          ##"""
          {
            "status": "passed",
            "records": 4,
            "rejected": 0,
            "pages": 4,
            "requests": [
              "GET {{base}}/api/projects/11/tasks?page=1&per_page=100 -> 200",
              "GET {{base}}/api/projects/11/tasks?page=2&per_page=100 -> 200",
              "GET {{base}}/api/projects/12/tasks?page=1&per_page=100 -> 200",
              "GET {{base}}/api/projects/13/tasks?page=1&per_page=100 -> 200"
            ],
            "waits_ms": [],
            "fields": [
              "project_id: integer",
              "number: integer",
              "title: string",
              "done: boolean",
              "due: date"
            ],
            "key": [
              "project_id",
              "number"
            ]
          }

          """##
        ),
        (
          "fixtures/children.tasks/records.jsonl",
          ##"""
          {"project_id":11,"number":1,"title":"Order seeds","done":true,"due":"2025-03-01"}
          {"project_id":11,"number":2,"title":"Repair the gate","done":false,"due":null}
          {"project_id":11,"number":3,"title":"Plan the beds","done":false,"due":"2025-04-15"}
          {"project_id":12,"number":1,"title":"Choose colours","done":false,"due":null}

          """##
        ),
      ]),
  ]
}
