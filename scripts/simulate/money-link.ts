import { demoPassword } from '../../prisma/seed/tree.ts'
import type { MoneyLink } from './money.ts'

/** Signs in at a running server and speaks to it, as a person and as providers. */
export async function linkTo(url: string, email: string, password = demoPassword): Promise<MoneyLink> {
  const send = async (method: string, path: string, { headers = {}, body }: { headers?: Record<string, string>; body?: string }) => {
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    return { status: answer.status, text: await answer.text() }
  }
  const json = { 'content-type': 'application/json' }
  const signedIn = await send('POST', '/api/auth/login', { headers: json, body: JSON.stringify({ email, password }) })
  const token = signedIn.status === 200 ? (JSON.parse(signedIn.text) as { data: { token?: string } }).data.token : undefined
  if (token === undefined) throw new Error(`${email} cannot sign in at ${url}: ${signedIn.status} ${signedIn.text}`)
  return {
    call: async (method, path, body) => {
      const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : json) }
      const { status, text } = await send(method, path, { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
      return { status, body: JSON.parse(text) as unknown }
    },
    hook: (path, body, headers = {}) =>
      body instanceof URLSearchParams
        ? send('POST', path, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: body.toString() })
        : send('POST', path, { headers: { ...json, ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}
