import FlowModel
import FlowSpec
import SourceDiagnostics

/// How a code comes about that needs more than one file, or values from outside.
struct Situation: Sendable, CustomStringConvertible {
  var code: FlowCode
  var diagnostics: @Sendable () -> [Diagnostic]
  var description: String { code.rawValue }

  init(_ code: FlowCode, _ diagnostics: @escaping @Sendable () -> [Diagnostic]) {
    self.code = code
    self.diagnostics = diagnostics
  }
}

extension FlowCode {
  static let situations: [Situation] = [
    Situation(.duplicateFlow) {
      let text = flowFile("resource: /customers")
      return Project(files: ["a/shop.yaml": text, "b/shop.yaml": text]).load().diagnostics.diagnostics
    },
    Situation(.missingItems) {
      Project(flowFile("resource: /customers\nfor: { file: objects.jsonl, vars: { object: $.name } }"))
        .load().diagnostics.diagnostics
    },
    Situation(.duplicateSchema) {
      let text = schemaFile("id: integer")
      return Project("reactor: 1\nflows: {}\n", others: ["schemas/a.yaml": text, "schemas/b.yaml": text])
        .load().diagnostics.diagnostics
    },
    Situation(.unreadableFile) {
      Project("reactor: 1\nflows: {}\n", others: ["schemas/a.yaml": "unreadable"]).load().diagnostics.diagnostics
    },
    Situation(.tooLarge) {
      // Ten fields of ten fields of … grow beyond all bounds in a few lines.
      var text = "reactor: 1\nschemas:\n  s0: { fields: { x: integer } }\n"
      for level in 1...5 {
        let fields = (0..<10).map { "f\($0): { type: object, schema: s\(level - 1) }" }.joined(separator: ", ")
        text += "  s\(level): { fields: { \(fields) } }\n"
      }
      return Project(schemas: text).load().diagnostics.diagnostics
    },
    Situation(.overrideUnknown) {
      overriding(VariableOverrides(arguments: ["sinse": "2024-01-01"]))
    },
    Situation(.overrideValue) {
      overriding(VariableOverrides(arguments: ["since": "yesterday"]))
    },
    Situation(.stateConflict) {
      let text = flowFile("resource: /customers")
      return Project(files: [
        "east.yaml": text + "defaults: { state: postgresql:///east }\n",
        "west.yaml": text + "defaults: { state: postgresql:///west }\n",
      ]).load().diagnostics.diagnostics
    },
    Situation(.sharedToken) {
      let auth =
        "oauth2: { grant: refresh_token, url: 'https://a.example/token', client_id: me, refresh_token: '{{ secrets.R }}' }"
      return sharing(
        "reactor: 1\nsecrets: [R]\nhttp: { base_url: https://a.example, auth: { \(auth) } }\n"
          + "flows: { customers: { resource: /customers } }\n")
    },
    Situation(.sharedInput) {
      sharing(
        """
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers, persistence: out/customers.jsonl }
          orders:
            resource: "/orders/{{ parent.id }}"
            each: { file: out/customers.jsonl }
        """)
    },
    Situation(.templateUnsetVariable) { resolving("{{ vars.region }}") },
    Situation(.templateUnsetSecret) { resolving("{{ secrets.KEY }}") },
    Situation(.templateUnsetEnvironment) { resolving("{{ env.HOST }}") },
    Situation(.expressionValue) { resolving("{{ 1 / int(env.SIZE) }}", ResolutionScope(environment: ["SIZE": "0"])) },
    Situation(.templateControlCharacter) {
      resolving("{{ env.HOST }}", ResolutionScope(environment: ["HOST": "a\r\nX: b"]))
    },
  ]

  /// What a file gives whose flows are claimed by several processes, which have no key.
  private static func sharing(_ text: String) -> [Diagnostic] {
    let loaded = Project(text).load()
    let units = Dictionary(uniqueKeysWithValues: loaded.flows.enumerated().map { ($1.id, $0) })
    return loaded.diagnostics.diagnostics
      + SharedStateCheck(hasKey: false, unit: units, scope: { _ in ResolutionScope() }).problems(in: loaded.flows)
      .diagnostics
  }

  /// What a value from outside gives for a file with one variable.
  private static func overriding(_ overrides: VariableOverrides) -> [Diagnostic] {
    let loaded = Project(
      flowFile(
        "resource: /", top: "http: { base_url: https://a.example }\nvars:\n  since: { type: date, default: 2024-01-01 }"
      )
    )
    .load()
    var diagnostics = loaded.diagnostics
    overrides.check(against: loaded.files, diagnostics: &diagnostics)
    for file in loaded.files {
      _ = file.scope(overrides: overrides, secrets: [:], environment: [:], diagnostics: &diagnostics)
    }
    return diagnostics.diagnostics
  }

  /// What resolving the header of a flow gives.
  private static func resolving(_ template: String, _ scope: ResolutionScope = ResolutionScope()) -> [Diagnostic] {
    let top = "http: { base_url: https://a.example }\nvars: { region: { type: string } }\nsecrets: [KEY]"
    let loaded = Project(flowFile("resource: { path: /, headers: { X-Key: \"a \(template)\" } }", top: top)).load()
    guard let value = loaded.flows.first?.pull.request.headers.first?.value.value else { return [] }
    do throws(ResolutionError) {
      _ = try value.resolve(with: scope)
      return []
    } catch {
      return [error.diagnostic]
    }
  }
}
