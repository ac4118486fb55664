import type { OfflineCommand } from './sync/offline-command.ts'
import type { UploadLimits } from './uploads/form.ts'

type MediaType = `${string}/${string}`
export type Sends = 'redirect' | MediaType | readonly MediaType[]

/** What a route says of itself beside path, access and operation. */
export interface RouteOptions {
  /** Takes multipart forms as well: their fields are input like a body's, their files are facts.files. */
  upload?: true | UploadLimits
  /** The body is any bytes and no input: facts.raw. */
  raw?: boolean
  /** Bytes; default 1 MiB. */
  bodyLimit?: number
  /** The JSON may come as gzip; the limit counts the bytes that it inflates to. Not for strangers. */
  takesGzip?: boolean
  /** Requests a minute beside the general limit, or in its place where it is higher: per user, or per address on public routes. */
  limit?: number
  /** One sentence for the API document. */
  summary?: string
  /**
   * What an answer is that is no envelope with data: a media type or several (any, where it is whatever file was stored), `redirect` where the caller is led on.
   * A route says this or what its operation's data holds (`answer`).
   */
  sends?: Sends
  /** The operation opens its own transactions (sync push, exports). */
  ownTransaction?: boolean
  /** Not part of the specification: an address of our own. */
  own?: boolean
  /** Not while impersonating: it shows or makes what outlasts the session (a password, a key, an address, what the user has read). */
  inPerson?: boolean
  /** For people who are signed in, not for API users: it is about their session. With inPerson, so by itself. */
  peopleOnly?: boolean
  /** Answered even while the caller has to choose another password first. */
  beforePasswordChange?: boolean
  /** Devices may make this call later, as a change of an entity that they hold. */
  offline?: OfflineCommand
}
