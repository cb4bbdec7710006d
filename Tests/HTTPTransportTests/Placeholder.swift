import Testing
@testable import HTTPTransport
