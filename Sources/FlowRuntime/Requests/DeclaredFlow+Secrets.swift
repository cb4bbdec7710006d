internal import ByteCodings
internal import ReactorCore

/// What must not be shown or stored.
extension DeclaredFlow {
  /// Returns a message with secrets masked.
  ///
  /// It masks all encodings of a secret, and also a secret that was cut with the message.
  func masked(_ text: String) -> String {
    var secrets = plan.scope.secrets
    _ = environment.secrets.contains { secret in
      secrets.append(secret)
      return false
    }
    return secrets.isEmpty ? text : messageMask.mask(text, hiding: secrets)
  }

  /// The validators without secrets. A validator that contains a secret in any encoding is not stored or sent back.
  func storable(_ validators: Validators) -> Validators {
    // Lazy: computed for the first secret, because most flows have no secrets.
    lazy var texts = [validators.etag, validators.lastModified].compactMap { $0.map { Array($0.lowercased().utf8) } }
    func isIn(_ secret: String) -> Bool {
      SecretEncodings.all(of: secret).contains { form in
        let form = Array(String(decoding: form, as: UTF8.self).lowercased().utf8)
        return form.count >= SecretEncodings.shortest && texts.contains { $0.firstRange(of: form) != nil }
      }
    }
    let isTold =
      plan.scope.secrets.contains(where: isIn) || environment.secrets.contains(where: isIn)
    return isTold ? Validators() : validators
  }
}
