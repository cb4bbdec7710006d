package import FlowModel

/// A receiver of notices as a file declares it. All templates are unresolved.
package struct ReceiverDeclaration: Sendable {
  /// How a notice reaches the receiver.
  package enum Channel: Sendable {
    /// A POST request with a JSON document; without a document, with the notice itself.
    case webhook(Located<Template>, headers: [NamedTemplate], body: Located<TemplatedJSON>?)
    /// A program with its arguments. The notice is its standard input.
    case command([Located<Template>])
    /// A mail.
    case mail(MailDeclaration)
  }

  /// The name, unique in the file.
  package var name: Located<String>
  /// How a notice reaches the receiver.
  package var channel: Channel
  /// What the receiver is told.
  package var events: Set<NoticeEvent> = [.failed, .missing, .stale, .recovered]
  /// The tags of which a flow must have one; empty if the receiver is told about all flows of the file.
  package var tags: Set<String> = []
  /// Whether each flow has a notice of its own. If false, all flows of a run share one.
  package var isPerFlow = false
  /// The maximum time for one notice, in seconds.
  package var timeout: Double = 10
  /// The names of the secrets that its templates use.
  package var secrets: Set<String> = []

  /// Whether the receiver is told about a flow of its file.
  package func knows(_ flow: FlowDeclaration) -> Bool { tags.isEmpty || !tags.isDisjoint(with: flow.tags) }
}

/// The mails to a receiver of notices.
package struct MailDeclaration: Sendable {
  /// The addresses of the recipients.
  package var to: [Located<Template>] = []
  /// The address of the sender.
  package var from: Located<Template>?
  /// The URL of the server; nil if the program `sendmail` of this machine sends.
  package var server: Located<Template>?
  /// The name of the account at the server.
  package var user: Located<Template>?
  /// The password of the account.
  package var password: Located<Template>?
  /// The path of a PEM file of certificate authorities to trust; nil for the system's.
  package var caFile: String?
}
