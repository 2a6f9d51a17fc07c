// What a client tells about its requests, for logs, metrics and traces.

export type Hooks = {
  /** Called before each attempt. May add headers, such as those of a trace. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined
  /** Called when the headers of an answer have arrived, also those of a refusal. */
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined
  /** Called before the client waits and sends a request again. */
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

/** `headers` has the secret and the ticket, and some addresses have search words or a ticket: `operation` has neither. */
export type SentRequest = {
  /** Its name in the reference; of `request`, the path as it was given. */
  readonly operation: string
  /** 1, 2, … */
  readonly attempt: number
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
}

export type Metadata = {
  /** The HTTP status. */
  readonly status: number
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined
  /** A deposit was answered with the first answer to its key again; nothing was charged now. */
  readonly replayed: boolean
  readonly responseHeaders: Headers
}

export type ReceivedResponse = SentRequest & Metadata & { readonly durationMs: number }

export type Retry = SentRequest & {
  /** Why the attempt failed. */
  readonly error: unknown
  readonly waitMs: number
}
