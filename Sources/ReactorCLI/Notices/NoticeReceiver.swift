internal import FlowModel
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// A receiver of notices, with the flows that it is told about.
///
/// Receivers of several files that are the same in all but their flows are one receiver.
struct NoticeReceiver: Sendable {
  /// Identifies the receiver: its name and a hash of what it is. An edited receiver is another one, and knows nothing.
  let id: String
  let declaration: ReceiverDeclaration
  /// The first file that declares it.
  let file: FileDeclaration
  /// Where its notices go, without secrets, for messages.
  let target: String
  /// What it wants to be told about each flow, by the flow's id.
  var flows: [String: Set<NoticeEvent>]

  /// The name, which is unique in each file that declares it.
  var name: String { declaration.name.value }

  /// The receivers of loaded files, in the order of the files.
  ///
  /// - Parameter refused: called for a receiver with a value that is missing
  static func all(
    in loaded: LoadedFlows, _ order: AssemblyOrder, refused: (ReceiverDeclaration, ResolutionError) -> Void
  ) -> [NoticeReceiver] {
    let files = loaded.files.filter { !$0.receivers.isEmpty }
    guard !files.isEmpty else { return [] }
    let flowsOfFile = Dictionary(grouping: loaded.flows, by: \.file.path)
    var receivers: [NoticeReceiver] = []
    for file in files {
      let scope = file.shownScope(order)
      let flows = flowsOfFile[file.path] ?? []
      for declaration in file.receivers {
        let known = flows.filter(declaration.knows).map { ($0.id, declaration.events) }
        do throws(ResolutionError) {
          var parts = try declaration.target(in: scope)
          let target = parts.joined(separator: " ")
          parts += try declaration.form(in: scope) + ["\(declaration.isPerFlow)"]
          let whole = ([declaration.name.value] + parts).joined(separator: "\u{0}")
          let id = "\(declaration.name.value)-\(String(ContentHash.of(Array(whole.utf8)), radix: 36))"
          if let index = receivers.firstIndex(where: { $0.id == id }) {
            receivers[index].flows.merge(known) { first, _ in first }
          } else {
            receivers.append(
              NoticeReceiver(
                id: id, declaration: declaration, file: file, target: target,
                flows: Dictionary(known) { first, _ in first }))
          }
        } catch {
          refused(declaration, error)
        }
      }
    }
    return receivers
  }
}

extension FileDeclaration {
  /// The values of the file with the names of secrets instead of their values.
  ///
  /// Neither an identity nor a message has a secret, so a rotated secret leaves a receiver the same.
  func shownScope(_ order: AssemblyOrder) -> ResolutionScope {
    var scope = scope(order)
    for name in secrets.map(\.value) { scope.secrets[name] = Secret("{{ secrets.\(name) }}") }
    return scope
  }
}

extension ReceiverDeclaration {
  /// The kind of the channel and where it leads.
  func target(in scope: ResolutionScope) throws(ResolutionError) -> [String] {
    switch channel {
    case .webhook(let url, _, _): return ["webhook", try url.value.resolve(with: scope).text]
    // The arguments have the notice, which is not known.
    case .command(let words): return ["command"] + words.map(\.value.sourceText)
    case .mail(let mail):
      var texts = ["mail"]
      for address in mail.to { texts.append(try address.value.resolve(with: scope).text) }
      if let server = mail.server { texts += ["by", try server.value.resolve(with: scope).text] }
      return texts
    }
  }

  /// What else makes the receiver another one.
  fileprivate func form(in scope: ResolutionScope) throws(ResolutionError) -> [String] {
    switch channel {
    case .webhook(_, let headers, let body):
      return headers.flatMap { [$0.name.value, $0.value.value.sourceText] }
        + [body.map { String(describing: $0.value.sourceForm) } ?? ""]
    case .command: return []
    case .mail(let mail): return [mail.from, mail.user].compactMap { $0?.value.sourceText }
    }
  }
}

extension TemplatedJSON {
  /// The document with the texts of its templates.
  fileprivate var sourceForm: JSONValue {
    switch self {
    case .constant(let value): value
    case .template(let template): .string(template.value.sourceText)
    case .array(let elements): .array(elements.map(\.sourceForm))
    case .object(let members): .object(JSONObject(members.map { .init(name: $0.name, value: $0.value.sourceForm) }))
    }
  }
}
