import SourceDiagnostics

@testable import FlowSpec

/// A project whose parts depend on each other, with a place for the keys of every construct, so that a mistake in one part
/// can be seen to give no error in another.
enum RichProject {
  /// The files without a mistake. A line that ends with `# ◆name` opens the mapping of a construct.
  static let files = [(path: "flows/shop.yaml", text: flows), (path: "flows/schemas/shop.yaml", text: schemas)]

  /// Constructs of which one key stands for the whole, so that a fragment takes the place of all that is there.
  private static let isReplacedInWhole: Set<ConstructName> = Set(ConstructName.allCases).subtracting([
    .file, .schemaFile, .http, .flow, .resource, .persistence, .schema,
  ])

  /// The project with a fragment at each place of a construct in turn, and the byte at which one of the fragment stands.
  static func filled(
    _ construct: ConstructName, with fragment: String, offset: Int
  ) -> [(project: Project, path: String, offset: Int)] {
    files.flatMap { file in
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return lines.indices.filter { lines[$0].hasSuffix("# ◆\(construct.rawValue)") }.map { location in
        var marked = Array(fragment.utf8)
        marked.insert(contentsOf: "↓".utf8, at: offset)
        let whole = with(String(decoding: marked, as: UTF8.self), of: construct, at: location, in: lines)
        let parts = whole.split(separator: "↓", maxSplits: 1, omittingEmptySubsequences: false)
        var texts = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
        texts[file.path] = parts.joined()
        return (Project(rich: texts), file.path, parts[0].utf8.count)
      }
    }
  }

  /// The project with a text of the flow file replaced where it stands first; nil where it does not.
  static func replacing(_ text: String, with other: String) -> Project? {
    guard flows.contains(text) else { return nil }
    return Project(
      rich: [
        "flows/shop.yaml": flows.replacing(text, with: other, maxReplacements: 1), "flows/schemas/shop.yaml": schemas,
      ])
  }

  private static func with(
    _ fragment: String, of construct: ConstructName, at location: Int, in lines: [String]
  ) -> String {
    let isTop = construct == .file || construct == .schemaFile
    let margin = isTop ? 0 : indent(of: lines[location]) + 2
    let end = lines[(location + 1)...].firstIndex { !$0.isEmpty && indent(of: $0) < margin } ?? lines.endIndex
    var keys = Set(fragment.split(separator: "\n").map { key(of: String($0)) })
    // A misspelt key takes the place of the one that was meant.
    for misspelt in keys where construct.construct[misspelt] == nil {
      if let meant = NearMiss.suggestion(for: misspelt, in: construct.construct.fields.map(\.name)) {
        keys.insert(meant)
      }
    }
    // A result is either in a file or in a table.
    if construct == .persistence, !keys.isDisjoint(with: ["store", "table"]) { keys.insert("path") }
    // A request has either a path or a whole URL.
    if construct == .resource, keys.contains("url") { keys.insert("path") }
    var kept: [String] = []
    if isReplacedInWhole.contains(construct) {
      let lines = fragment.replacing("↓", with: "").split(separator: "\n").map(String.init)
      kept = construct.construct.frame.supplied(beside: lines).map { String(repeating: " ", count: margin) + $0 }
    } else {
      var isKept = true
      for line in lines[(location + 1)..<end] {
        if indent(of: line) == margin { isKept = !keys.contains(key(of: line)) }
        if isKept { kept.append(line) }
      }
    }
    let fragment = fragment.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(repeating: " ", count: margin) + $0 }
    return (lines[...location] + fragment + kept + lines[end...]).joined(separator: "\n")
  }

  private static func indent(of line: String) -> Int { line.prefix { $0 == " " }.count }

  private static func key(of line: String) -> String {
    String(line.replacing("↓", with: "").drop { $0 == " " }.prefix { $0 != ":" })
  }

  private static let flows = """
    # ◆file
    reactor: 1
    description: The shop
    vars:
      region: eu
      user: me
      since: # ◆var
        type: date
        default: 2024-01-01
        where: value != '1970-01-01'
    secrets:
      SHOP_TOKEN: # ◆secret
        command: [pass, show, shop]
      PASSWORD:
      CHAT_URL:
      CHAT_TOKEN:
      MAIL_PASSWORD:
    notify:
      night: # ◆notify
        mail: # ◆mail
          to: night@example.com
          from: reactor@example.com
    stores:
      shop: # ◆store
        sqlite: "out/{{ vars.region }}.db"
    http: # ◆http
      base_url: "https://{{ vars.region }}.example.com"
      headers: { X-Region: "{{ vars.region }}", X-Key: "{{ secrets.PASSWORD }}" }
      rate: # ◆rate
        max: 10/s
        budgets:
          - # ◆rate.budgets
            path: /search/*
            max: 30/m
        follow: # ◆rate.follow
          remaining: X-Left
          reset: X-Until
      auth: # ◆auth
        bearer: "{{ secrets.SHOP_TOKEN }}"
    defaults: # ◆defaults
      tags: [nightly]
      schedule: # ◆schedule
        cron: 30 2 * * *
        jitter: 5m
      persistence: # ◆defaults.persistence
        expires_after: 1h
      expect: # ◆defaults.expect
        freshness: 26h
    schemas:
      point: { fields: { x: number, y: number } }
      customer: # ◆schema
        key: id
        fields:
          id: integer
          name: string
          nick: string?
          note: string?
          total: number
          updated_at: timestamp
          city: # ◆field
            type: string
          cities:
            type: list
            of: # ◆element
              type: string
          where: { type: object, schema: point }
          label: { value: "{{ record.name }} of {{ vars.region }}" }
      tagged: { fields: { tag: { from: "$.tags[0]", type: string } } }
    flows:
      regions:
        resource: /regions
        schema: { key: id, fields: { id: integer, name: string } }
        persistence: { store: shop, table: regions }
      customers: # ◆flow
        resource: # ◆resource
          path: /customers
          query: { region: "{{ vars.region }}" }
        records: $.data[*]
        reshape: # ◆reshape
          each: .
        change: # ◆change
          flatten: # ◆flatten
            depth: 1
          add: { region: "{{ vars.region }}" }
        schema: customer
        where: record.id > 0
        cursor: # ◆cursor
          field: updated_at
          query: since
          start: "{{ vars.since }}"
        retry: # ◆retry
          max: 3
          follow: # ◆retry.follow
            header: X-Wait
        errors:
          - # ◆errors
            when: status == 404
            do: skip
        persistence: # ◆persistence
          path: out/customers.jsonl
          mode: merge
          delete_when: source.deleted
        rejected: # ◆rejected
          path: out/customers.rejected.jsonl
        expect: # ◆expect
          min: 1
        fixture: # ◆fixture
          match: # ◆fixture.match
            repeat: true
      invoices:
        each: { flow: customers, key: id, only: changed, as: customer, add: { customer: "{{ customer.id }}" } }
        resource: { path: "/customers/{id}/invoices", params: { id: "{{ customer.id }}" } }
        where: "source.region == customer.city"
        persistence: { path: out/invoices.jsonl, mode: append }
      orders:
        each: # ◆each
          flow: customers
        resource: { method: POST, path: /orders, body: { json: { page: { size: 10 } } } }
        schema: { key: id, fields: { id: integer, paid: timestamp } }
        pages: # ◆pages
          by: page
          body: $.page.number
          size_query: size
          size: # ◆pages.size
            max: 100
        persistence: { path: out/orders.jsonl, mode: merge }
      lines:
        each:
          - { values: [1, 2], as: number }
          - # ◆each.product
            flow: orders
        resource: { path: "/lines/{{ number }}", query: { since: "{{ coalesce(cursor.start, '') }}" } }
        cursor: { field: at }
        schema: { key: id, fields: { id: integer, at: timestamp } }
        persistence: { path: out/lines.jsonl, mode: merge }
      returns:
        each:
          union:
            - { file: out/old-customers.jsonl }
            - # ◆each.union
              flow: customers
          key: id
          as: customer
        resource: "/customers/{{ customer.id }}/returns"
      tickets:
        resource: /tickets
        cursor:
          field: at
          query: # ◆cursor.query
            start: since
          cap: # ◆cursor.cap
            records: 10000
            then: restart
        first_run: # ◆first_run
          resource: /all-tickets
          max_age: P30D
        schema: { key: id, fields: { id: integer, at: timestamp } }
        persistence: { path: out/tickets.jsonl, mode: merge }
      ads:
        resource: { path: /ads, query: { fields: "{{ join(field_group, ',') }}" } }
        field_groups: # ◆field_groups
          fields: [id, clicks, likes]
          key: id
          max: 2
          by: $.id
      jobs:
        resource: { method: POST, path: /jobs }
        job: # ◆job
          id: response.id
          poll: "/jobs/{{ job.id }}"
          done: response.state == 'done'
          failed: response.state == 'failed'
          download: "/jobs/{{ job.id }}/result"
          retry: # ◆job.retry
            max: 2
      files:
        each: { flow: regions, as: region }
        resource: "/regions/{{ region.id }}/map"
        download: # ◆download
          path: "files/{{ region.id }}.pdf"
      mirror:
        each:
          flow: customers
          batch: # ◆each.batch
            size: 10
        resource:
          method: POST
          path: /mirror
          body:
            records: # ◆body.records
              schema: customer
          idempotency: # ◆idempotency
            key: "{{ batch[0].id }}"
      search:
        resource:
          method: POST
          path: /search
          body: # ◆body
            json: { region: "{{ vars.region }}" }
        pages: { by: cursor, from: $.next, query: after }
        auth: 
          api_key: # ◆api_key
            body: token
            value: "{{ secrets.SHOP_TOKEN }}"
      graph:
        resource:
          method: POST
          path: /graph
          body:
            graphql: # ◆graphql
              query: a
        pages: { by: cursor, from: $.next, body: $.variables.after }
        auth:
          basic: # ◆basic
            username: "{{ vars.user }}"
            password: "{{ secrets.PASSWORD }}"
      exports:
        resource: /exports
        decode: # ◆decode
          format: csv
      objects:
        for: # ◆for
          values: [contacts, deals]
          as: object
        resource: "/objects/{{ vars.object }}"
      described:
        resource: /described
        schema:
          fields: { id: integer }
          described: # ◆described
            file: fields.json
      public:
        http: { base_url: https://other.example.com }
        resource: { path: /public, query: { number: "{{ page.number }}" } }
        pages: { by: page, max: 10 }
        retry: { wait: 5m, max_wait: 10m }
        auth: none
      own:
        resource: /own
        auth: { api_key: { header: X-Own, value: "{{ secrets.SHOP_TOKEN }}" } }
      reports:
        resource: /reports
        auth:
          oauth2: # ◆oauth2
            url: https://login.example.com/token
            client_id: reactor
      signed:
        resource: /signed
        auth:
          jwt: # ◆jwt
            algorithm: HS256
            key: "{{ secrets.SHOP_TOKEN }}"
      exchanged:
        resource: /exchanged
        auth:
          oauth2:
            grant: jwt_bearer
            url: https://login.example.com/token
            jwt: # ◆assertion
              algorithm: HS256
              key: "{{ secrets.SHOP_TOKEN }}"
      aws:
        resource: /aws
        auth:
          sigv4: # ◆sigv4
            service: execute-api
            region: eu-central-1
            key_id: "{{ secrets.SHOP_TOKEN }}"
            key: "{{ secrets.PASSWORD }}"
      digested:
        resource: /digested
        auth:
          digest: # ◆digest
            username: me
            password: "{{ secrets.PASSWORD }}"
      older:
        resource:
          path: /older
          query: { fields: "a,b" }
          unescaped: [fields]
        http:
          client_certificate: # ◆http.client_certificate
            file: tls/client.pem
        auth:
          oauth1: # ◆oauth1
            client_id: me
            client_secret: "{{ secrets.PASSWORD }}"
      computed:
        resource: /computed
        auth:
          sign: # ◆sign
            headers: { X-Signature: "{{ hmac_sha256(request.target, secrets.PASSWORD) }}" }
      kinds:
        resource: /kinds
        auth:
          choose: # ◆choose
            by: vars.user
            cases:
              me: { bearer: "{{ secrets.SHOP_TOKEN }}" }
            else: { api_key: { query: key, value: "{{ secrets.PASSWORD }}" } }
      sessions:
        each: { flow: reports }
        resource: "/reports/{{ parent.id }}"
        auth:
          login: # ◆login
            resource: /session
            token: $.token
            steps:
              - # ◆login-step
                resource: /challenge
                values: { nonce: $.nonce }

    """

  private static let schemas = """
    # ◆schema-file
    reactor: 1
    schemas:
      shared:
        key: id
        fields: { id: integer }

    """
}

extension Project {
  /// Flow files, and schema files beside them.
  fileprivate init(rich texts: [String: String]) {
    self.init(
      texts["flows/shop.yaml"] ?? "", path: "flows/shop.yaml",
      others: texts.filter { $0.key.contains("/schemas/") }.merging(Project.itemFiles) { own, _ in own })
  }
}
