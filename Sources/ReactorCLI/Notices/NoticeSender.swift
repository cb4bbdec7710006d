internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Finds receivers and the values with which they are told something.
struct NoticeSender: Sendable {
  /// The values of variables, secrets and the environment.
  let order: AssemblyOrder
  /// The access to the sources of secrets.
  let inputs: Invocation.Inputs

  /// The receivers of loaded files.
  ///
  /// - Parameter console: for a warning about each receiver with a value that is missing
  /// - Returns: those that can be told something, and the number of the others
  func receivers(in loaded: LoadedFlows, _ console: Console) -> (usable: [NoticeReceiver], refused: Int) {
    var refused = 0
    func refuse(_ receiver: ReceiverDeclaration, _ message: String, _ help: String?) {
      refused += 1
      console.warn("receiver '\(receiver.name.value)' is not told anything: \(message)", help: help)
    }
    let all = NoticeReceiver.all(in: loaded, order) { receiver, error in
      refuse(receiver, error.diagnostic.message, error.diagnostic.help)
    }
    let usable = all.filter { receiver in
      let unset = receiver.declaration.secrets.sorted().first {
        order.secrets[$0] == nil && receiver.file.secretSources[$0] == nil
      }
      guard let unset else { return true }
      refuse(
        receiver.declaration, "secret '\(unset)' has no value",
        "set the environment variable \(unset), or name it in the file of --secret-file")
      return false
    }
    return (usable, refused)
  }

  /// The delivery to a receiver, with its secrets. Their sources are read only now, when there is something to tell.
  func delivery(to receiver: NoticeReceiver, _ console: Console) throws(NoticeDelivery.Failure) -> NoticeDelivery {
    var order = order
    var needed = NeededSecrets()
    needed.add(receiver.declaration.secrets, of: receiver.file, given: order.secrets.mapValues { $0.reveal() })
    let (values, problems) = needed.read(by: inputs.secrets)
    console.hide(values)
    if let problem = problems.diagnostics.first { throw NoticeDelivery.Failure(message: problem.message) }
    order.secrets.merge(values.mapValues(Secret.init)) { $1 }
    return NoticeDelivery(to: receiver, receiver.file.scope(order), order.environment, learn: console.learn)
  }

  /// The name of this machine.
  static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
