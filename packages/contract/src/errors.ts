/**
 * The errors of kernel, platform and geo service: name -> HTTP status and message. Names travel as `code`; areas declare theirs
 * beside these (defineError). Messages in quotes of the specification (section 8 of both documents) are kept word for word.
 */
export const errorTable = {
  NO_SESSION: { status: 401, message: 'Sign in to continue.' },
  SESSION_EXPIRED: { status: 401, message: 'Your session has ended. Sign in again.' },
  DEVICE_SIGNED_OUT: { status: 401, message: 'Your office has signed this device out. Sign in again.' },
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid credentials' },
  USER_DISABLED: { status: 401, message: 'This user is deactivated. Ask an administrator.' },
  FORBIDDEN: { status: 403, message: 'You may not do this.' },
  TENANT_FORBIDDEN: { status: 403, message: 'You do not work in this tenant.' },
  ORIGIN_FORBIDDEN: { status: 403, message: 'This origin may not call the console.' },
  WHILE_IMPERSONATING: { status: 403, message: 'Not possible while impersonating another user.' },
  ADDRESS_FORBIDDEN: {
    status: 403,
    message: 'You may not work from this address. Use the network of your company, or ask an administrator.',
  },
  PEOPLE_ONLY: { status: 403, message: 'This is for people who are signed in; an API key is not enough.' },
  MUST_CHANGE_PASSWORD: { status: 403, message: 'Choose a new password first: somebody else knows the present one.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  BAD_REQUEST: { status: 400, message: 'The request could not be read.' },
  TOKEN_INVALID: { status: 400, message: 'This link is not valid any more. Ask for a new one.' },
  CONFLICT: { status: 409, message: 'Somebody else changed this record meanwhile.' },
  ALREADY_EXISTS: { status: 409, message: 'A record with these values already exists.' },
  STILL_IN_USE: { status: 409, message: 'Other records still refer to this one.' },
  QUOTA_REACHED: { status: 409, message: 'You have as many of these as you may have.' },
  ILLEGAL_TRANSITION: { status: 409, message: 'This status cannot follow the present one.' },
  SCHEMA_UNKNOWN: { status: 409, message: 'This version of the app is not understood. Update it.' },
  INVALID: { status: 422, message: 'Some fields are not valid.' },
  WEAK_PASSWORD: { status: 422, message: 'Choose a longer or less common password.' },
  NO_POSITION: { status: 422, message: 'No position available' },
  TOO_LARGE: { status: 413, message: 'The content is too large.' },
  TOO_MANY_FILES: { status: 413, message: 'Too many files at once.' },
  UNSUPPORTED_TYPE: { status: 415, message: 'This type of content is not accepted.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Wait a moment and try again.' },
  COOL_DOWN: { status: 429, message: 'A request was sent a moment ago. Wait before sending another one.' },
  NOT_CONFIGURED: { status: 501, message: 'This is not configured on this installation.' },
  GEO_UNAVAILABLE: { status: 503, message: 'The tracking service does not answer at present.' },
  UNAVAILABLE: { status: 503, message: 'The service is busy or restarting. Try again in a moment.' },
  NO_SPACE: { status: 507, message: 'There is no space left to store the file.' },
  UNKNOWN: { status: 500, message: 'Unkown Error.' },
} as const satisfies Record<string, { status: number; message: string; title?: string }>

export type ErrorName = keyof typeof errorTable

/** An error that an area declares; `fail()` takes it as it takes a name of the table. */
export interface NamedError {
  name: string
  status: number
  message: string
  title?: string
}
export const defineError = (name: string, words: Omit<NamedError, 'name'>): NamedError => ({ name, ...words })

const named = (error: ErrorName | NamedError): NamedError => (typeof error === 'string' ? { name: error, ...errorTable[error] } : error)

/** One wrong field of an input. */
export interface FieldError {
  field: string
  message: string
}

/** The one shape of every error answer. */
export interface ErrorAnswer {
  success: false
  code: string
  status: number
  message: string
  title?: string
  fields?: FieldError[]
  /** ILLEGAL_TRANSITION: the statuses that may follow. Errors of duplicate rules: the existing id when visible. */
  details?: Record<string, unknown>
  requestId?: string
}

export interface FailDetails {
  fields?: FieldError[]
  details?: Record<string, unknown>
  message?: string
}

/** A named failure; `fail()` is how code raises one. */
export class Failure extends Error {
  /** Its name on the wire. */
  readonly failure: string
  readonly error: NamedError
  readonly more: FailDetails
  constructor(error: ErrorName | NamedError, more: FailDetails = {}) {
    const known = named(error)
    super(more.message ?? known.message)
    this.failure = known.name
    this.error = known
    this.more = more
  }
}

/** Stops with a named error, of the table or an area's own; the compiler checks the name. */
export function fail(error: ErrorName | NamedError, more?: FailDetails): never {
  throw new Failure(error, more)
}

/** Stops with INVALID for one field and what is wrong with it. */
export function failField(field: string, message: string): never {
  return fail('INVALID', { fields: [{ field, message }] })
}

/** The wire form of a failure. */
export function errorAnswer(error: ErrorName | NamedError, more: FailDetails = {}, requestId?: string): ErrorAnswer {
  const entry = named(error)
  return {
    success: false,
    code: entry.name,
    status: entry.status,
    message: more.message ?? entry.message,
    ...(entry.title ? { title: entry.title } : {}),
    ...(more.fields ? { fields: more.fields } : {}),
    ...(more.details ? { details: more.details } : {}),
    ...(requestId ? { requestId } : {}),
  }
}
