import Testing
@testable import ReactorCore
