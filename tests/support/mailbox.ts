import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  url: string
  /** What came, in the order it came: for whom, and the letter whole, its soft line breaks joined. */
  letters: { to: string; text: string }[]
  /** Addresses it refuses. */
  refused: Set<string>
  close(): Promise<void>
}

/** A mail server that takes letters for anybody. */
export async function openMailbox(): Promise<Mailbox> {
  const letters: Mailbox['letters'] = []
  const refused = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(refused.has(address) ? new Error('mailbox full') : null),
    onData: (stream, session, done) => {
      let text = ''
      stream
        .on('data', (data: Buffer) => {
          text += data.toString()
        })
        .on('end', () => {
          letters.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text: text.replaceAll('=\r\n', '') })
          done()
        })
    },
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, letters, refused, close: () => new Promise<void>((done) => server.close(() => done())) }
}
