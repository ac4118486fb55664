import { demoPassword } from '../../../prisma/seed/tree.ts'

export interface Reply {
  status: number
  text: string
  body: Record<string, unknown>
}
export type Call = (method: string, path: string, body?: unknown) => Promise<Reply>

/** Signs a program in and gives its way to call: what anybody could do with a script and a password. */
export async function callAs(url: string, email: string): Promise<Call> {
  const nobody = caller(url, {})
  const { body, status, text } = await nobody('POST', '/api/auth/login', { email, password: demoPassword })
  if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`)
  const { token } = body.data as { token: string }
  return caller(url, { authorization: `Bearer ${token}` })
}

function caller(url: string, headers: Record<string, string>): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      body: answer.headers.get('content-type')?.startsWith('application/json') ? (JSON.parse(text) as Record<string, unknown>) : {},
    }
  }
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
}
interface Document {
  paths: Record<string, Record<string, Operation>>
}

export interface Walk {
  /** Texts that no answer may hold. */
  secrets: readonly string[]
  /** What is given as path parameter and as search, one after the other. */
  values: readonly string[]
}

/**
 * Asks every GET call that the server has, plainly and with each value in each place where a value can go. Gives back
 * the calls whose answer held a secret that was not part of the question, and how many were asked.
 */
export async function everyRead(call: Call, { secrets, values }: Walk): Promise<{ leaks: string[]; asked: number }> {
  const { paths } = (await call('GET', '/api/openapi.json')).body as unknown as Document
  const reads = Object.entries(paths).flatMap(([path, methods]) =>
    methods.get && !path.startsWith('/api/auth') ? [{ path, parameters: methods.get.parameters ?? [] }] : [],
  )
  const addresses = new Set(reads.flatMap((read) => values.flatMap((value) => addressesOf(read, value))))
  const leaks: string[] = []
  const left = addresses.values()
  const askOneByOne = async (): Promise<void> => {
    for (const address of left) {
      const { status, text } = await call('GET', address)
      const found = status < 300 ? secrets.filter((secret) => text.includes(secret) && !decodeURIComponent(address).includes(secret)) : []
      if (found.length > 0) leaks.push(`${address} tells ${found.join(', ')}`)
    }
  }
  // Side by side: most of it is waiting for one another.
  await Promise.all(Array.from({ length: 6 }, askOneByOne))
  return { leaks, asked: addresses.size }
}

function addressesOf({ path, parameters }: { path: string; parameters: Parameter[] }, value: string): string[] {
  const inPlace = path.replace(/\{\w+\}/g, encodeURIComponent(value))
  const places = parameters.filter((one) => one.in === 'query').map(({ name }) => `${inPlace}?${name}=${encodeURIComponent(value)}`)
  return [inPlace, ...places]
}
