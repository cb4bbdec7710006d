internal import ByteCodings

extension FunctionTable {
  static let digests: [Function] = [
    digest(
      .sha256,
      examples: [
        .init("sha256('abc')", #""ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad""#),
        .init("sha256('abc', 'base64')", #""ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=""#),
        .init("sha256('abc', 'binary')", "error: bad-argument"),
      ], otherNames: ["hash", "sha"]),
    digest(
      .sha512,
      examples: [
        .init(
          "sha512('abc')",
          #""ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f""#
        ),
        .init(
          "sha512('abc', 'base64')",
          #""3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==""#),
      ], otherNames: ["sha_512", "sha2"]),
    digest(
      .sha1,
      examples: [
        .init("sha1('abc')", #""a9993e364706816aba3e25717850c26c9cd0d89d""#),
        .init("sha1('abc', 'base64')", #""qZk+NkcGgWq6PiVxeFDCbJzQ2J0=""#),
      ], otherNames: ["sha1sum", "sha_1"]),
    digest(
      .md5,
      examples: [
        .init("md5('abc')", #""900150983cd24fb0d6963f7d28e17f72""#),
        .init("md5('abc', 'base64')", #""kAFQmDzST7DWlj99KOF/cg==""#),
      ], otherNames: ["md5_hex", "md5sum"]),
    authenticationCode(
      .sha256,
      examples: [
        .init(
          "hmac_sha256('what do ya want for nothing?', 'Jefe')",
          #""5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843""#),
        .init(
          "hmac_sha256('what do ya want for nothing?', 'Jefe', 'base64')",
          #""W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=""#),
        .init(
          "hmac_sha256('what do ya want for nothing?', 'SmVmZQ==', 'base64url', 'base64')",
          #""W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM""#),
        .init("hmac_sha256('a', '?', 'hex', 'base64')", "error: conversion"),
      ], otherNames: ["hmac"]),
    authenticationCode(
      .sha512,
      examples: [
        .init(
          "hmac_sha512('what do ya want for nothing?', 'Jefe')",
          #""164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737""#
        )
      ], otherNames: ["hmacsha512"]),
    authenticationCode(
      .sha1,
      examples: [
        .init("hmac_sha1('what do ya want for nothing?', 'Jefe')", #""effcdf6ae5eb2fa2d27416d5f184df9c259a7c79""#)
      ], otherNames: ["hmacsha1"]),
    authenticationCode(
      .md5,
      examples: [
        .init("hmac_md5('what do ya want for nothing?', 'Jefe')", #""750c783e6ab0b503eaa86e310a5db738""#)
      ], otherNames: ["hmacmd5"]),
  ]

  private static func digest(
    _ algorithm: DigestAlgorithm, examples: [Function.Example], otherNames: [String]
  ) -> Function {
    Function(
      name: algorithm.rawValue,
      signatures: [Signature([.init("text", .string), .init("encoding", .string, .optional)], .string)],
      summary: """
        The \(algorithm.title) of a text's UTF-8 as \(2 * algorithm.length) lower-case hexadecimal digits, or in the \
        encoding `base64` or `base64url`.\
        \(algorithm.isBroken ? " Only for interfaces that require it; it is not secure." : "")
        """,
      examples: examples, otherNames: otherNames, literal: .init(argument: 1, kind: .encoding)
    ) { arguments, evaluation throws(EvaluationError) in
      let text = try arguments.string(0)
      let encoding: DigestEncoding = try arguments.encoding(1) ?? .hex
      try evaluation.spend(steps: 4 + text.utf8.count / 16)
      try evaluation.spend(bytes: 2 * algorithm.length)
      return .string(encoding.text(algorithm.digest(of: Array(text.utf8))))
    }
  }

  private static func authenticationCode(
    _ algorithm: DigestAlgorithm, examples: [Function.Example], otherNames: [String]
  ) -> Function {
    Function(
      name: "hmac_\(algorithm.rawValue)",
      signatures: [
        Signature(
          [
            .init("text", .string), .init("key", .string), .init("encoding", .string, .optional),
            .init("key_encoding", .string, .optional),
          ], .string)
      ],
      summary: """
        The HMAC (RFC 2104) with \(algorithm.title) of a text under a key, as \(2 * algorithm.length) lower-case \
        hexadecimal digits, or in the encoding `base64` or `base64url`. The key is text, or bytes in the encoding `hex`, \
        `base64` or `base64url`.
        """,
      examples: examples, otherNames: otherNames, literal: .init(argument: 2, kind: .encoding)
    ) { arguments, evaluation throws(EvaluationError) in
      let (text, key) = (try arguments.string(0), try arguments.string(1))
      let encoding: DigestEncoding = try arguments.encoding(2) ?? .hex
      let keyEncoding: KeyEncoding = try arguments.encoding(3) ?? .text
      try evaluation.spend(steps: 12 + (text.utf8.count + key.utf8.count) / 16)
      try evaluation.spend(bytes: 2 * algorithm.length)
      guard let key = keyEncoding.bytes(key) else {
        throw EvaluationError(.conversion, "the key is not \(keyEncoding.rawValue)")
      }
      return .string(encoding.text(algorithm.authenticationCode(of: Array(text.utf8), key: key)))
    }
  }
}

extension DigestAlgorithm {
  /// Whether the algorithm is insecure, because different messages with the same digest can be computed.
  fileprivate var isBroken: Bool { self == .md5 || self == .sha1 }
}
