import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer, { type Transporter } from 'nodemailer'
import { counter } from './http/metrics.ts'
import { passFence } from './fence.ts'
import type { Log } from './log.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  html?: string
  /** Two sendings with the same key are the same letter: it becomes the Message-ID. */
  idempotencyKey?: string
}
export interface WrittenLetter {
  file: string
  date: Date
}
export interface Mail {
  /** Sends a letter to the server, or writes it to the folder. Throws when the server refuses or does not answer in 20 s. */
  send(letter: Letter): Promise<void>
  /** Letters in the folder, newest first; empty when there is a server. */
  written(): Promise<WrittenLetter[]>
  /** Reads one letter of the folder. */
  read(file: string): Promise<string | undefined>
  close(): void
}

export interface MailOptions {
  /** smtp://user:password@host:port; without it letters are written as .eml files. */
  smtpUrl?: string | undefined
  from: string
  folder: string
  /** Domain of the gateway that makes SMS of letters: those to it are counted as such. */
  smsDomain?: string | undefined
  log: Log
}

const fileName = /^[0-9]{13}-[0-9a-f]{8}\.eml$/

/** Sends mail by SMTP, or into a folder while there is no server, so that nothing is lost during setup. */
export function createMail(options: MailOptions): Mail {
  const transport: Transporter = options.smtpUrl
    ? nodemailer.createTransport({ url: options.smtpUrl, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 })
    : nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const domain =
    options.from
      .split('@')
      .at(-1)
      ?.replace(/[^a-z0-9.-]/gi, '') || 'outpost'
  return {
    async send({ to, subject, text, html, idempotencyKey }) {
      await passFence()
      const kind = options.smsDomain !== undefined && to.toLowerCase().endsWith(`@${options.smsDomain.toLowerCase()}`) ? 'sms' : 'mail'
      const messageId = idempotencyKey ? `<${idempotencyKey}@${domain}>` : undefined
      // The parts are passed as text: nodemailer would otherwise read files and addresses named in them.
      const sent = await transport
        .sendMail({
          from: options.from,
          to,
          subject,
          text,
          ...(html ? { html } : {}),
          ...(messageId ? { messageId } : {}),
          textEncoding: 'quoted-printable',
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        .catch((error: unknown) => {
          letters.inc({ kind, outcome: 'failed' })
          throw error
        })
      letters.inc({ kind, outcome: 'sent' })
      if (!options.smtpUrl) await writeLetter(options.folder, (sent as { message: Buffer }).message)
      options.log.info({ subject }, 'mail sent')
    },
    async written() {
      if (options.smtpUrl) return []
      const files = await readdir(options.folder).catch(() => [] as string[])
      return files
        .filter((file) => fileName.test(file))
        .sort()
        .reverse()
        .map((file) => ({ file, date: new Date(Number(file.slice(0, 13))) }))
    },
    read: async (file) => (fileName.test(file) ? readFile(join(options.folder, file), 'utf8').catch(() => undefined) : undefined),
    close: () => transport.close(),
  }
}

const letters = counter('mail_letters', 'Letters handed to the mail server, by kind (sms: to phones, through a gateway) and outcome', [
  'kind',
  'outcome',
])

/** Throws when the mail server does not answer or refuses our login. */
export async function tryMailServer(url: string): Promise<void> {
  const transport = nodemailer.createTransport({ url, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 })
  await transport.verify().finally(() => transport.close())
}

async function writeLetter(folder: string, message: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const unique = crypto.getRandomValues(Buffer.alloc(4)).toString('hex')
  await writeFile(join(folder, `${Date.now()}-${unique}.eml`), message, { mode: 0o600 })
}
