/**
 * The secret of a sender: `Authorization: Bearer`, the password of `Authorization: Basic`, `X-Api-Key`, else `token` of the query. Null
 * when there is none.
 */
export function readToken(headers: Readonly<Record<string, string | string[] | undefined>>, params: URLSearchParams): string | null {
  const [scheme = '', value = ''] = (one(headers.authorization) ?? '').trim().split(/\s+/)
  if (/^bearer$/i.test(scheme) && value !== '') return value
  const password = /^basic$/i.test(scheme) ? Buffer.from(value, 'base64').toString('utf8').split(':').slice(1).join(':') : ''
  return password || one(headers['x-api-key'])?.trim() || params.get('token') || null
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
