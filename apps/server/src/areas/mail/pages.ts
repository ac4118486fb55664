import { escape } from 'es-toolkit/string/escape'

/** The list of written letters as a page; a link opens each. */
export function listPage(letters: readonly { file: string; date: Date; text: string }[]): string {
  const rows = letters.map(
    ({ file, date, text }) =>
      `<tr><td>${date.toISOString()}</td><td>${escape(header(text, 'To'))}</td><td><a href="/dev/mail/${file}">${escape(header(text, 'Subject'))}</a></td></tr>`,
  )
  return htmlPage(
    'Mail',
    rows.length > 0 ? `<table border="1" cellpadding="6">${rows.join('')}</table>` : '<p>No mail has been written yet.</p>',
  )
}

/** One letter as plain text with its links to click. */
export function letterPage(raw: string): string {
  const text = escape(decodeQuotedPrintable(raw)).replace(/https?:\/\/[^\s"&<>]+/g, (link) => `<a href="${link}">${link}</a>`)
  return htmlPage('Letter', `<p><a href="/dev/mail">All mail</a></p><pre>${text}</pre>`)
}

const htmlPage = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`

const header = (text: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''

/** Soft line breaks and =XX escapes of a quoted-printable body. */
function decodeQuotedPrintable(text: string): string {
  const joined = text.replace(/=\r?\n/g, '')
  return joined.replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))
}
