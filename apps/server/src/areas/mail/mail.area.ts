import { fail } from '@outpost/contract/errors'
import type { Mail } from '@outpost/platform/mail'
import { z } from 'zod'
import { defineArea, open, route } from '../../kernel/area.ts'
import { publicCommand } from '../../kernel/resource/operations.ts'
import type { Answer, Area, RequestInfo } from '../../kernel/types.ts'
import { letterPage, listPage } from './pages.ts'

export interface MailParts { mail: Mail, env: { SMTP_URL?: string | undefined, NODE_ENV: string } }

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** Letters hold links that sign people in: shown on the machine itself only. */
function requireLoopback({ ip, headers }: RequestInfo): void {
  if (!loopback.test(ip) || headers['x-forwarded-for'] !== undefined) fail('NOT_FOUND')
}

const page = (html: string): Answer => ({ file: { name: 'mail.html', mimeType: 'text/html; charset=utf-8', body: Buffer.from(html), inline: true } })

/**
 * GET /dev/mail: the letters that were written to the folder because there is no mail server. Not there at all in
 * production or with an SMTP server.
 */
export function mailArea({ mail, env }: MailParts): Area {
  if (env.SMTP_URL !== undefined || env.NODE_ENV === 'production') return defineArea({ name: 'mail' })
  const access = open('a page for developers, on this machine only and never in production')
  return defineArea({
    name: 'mail',
    routes: [
      route('mail.written', 'GET', '/dev/mail', access, publicCommand(z.strictObject({}), async (_input, facts) => {
        requireLoopback(facts)
        const letters = (await mail.written()).slice(0, 200)
        return page(listPage(await Promise.all(letters.map(async ({ file, date }) => ({ file, date, text: await mail.read(file) ?? '' })))))
      }), { own: true, sends: 'text/html', summary: 'Mails written to disk' }),
      route('mail.read', 'GET', '/dev/mail/:file', access, publicCommand(z.strictObject({ file: z.string().max(60) }), async ({ file }, facts) => {
        requireLoopback(facts)
        return page(letterPage(await mail.read(file) ?? fail('NOT_FOUND')))
      }), { own: true, sends: 'text/html', summary: 'One mail' }),
    ],
  })
}
