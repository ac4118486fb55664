import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { createLog } from '@outpost/platform/log'
import { createMail } from '@outpost/platform/mail'

const log = createLog({ level: 'silent' })

test('letters go to the SMTP server, with the idempotency key as Message-ID', async () => {
  const letters: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (data: Buffer) => {
        text += data.toString()
      })
      stream.on('end', () => {
        letters.push(text)
        done()
      })
    },
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.server.address() as { port: number }
  const mail = createMail({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Outpost <no-reply@outpost.test>', folder: '/nonexistent', log })
  await mail.send({ to: 'asha@mail.test', subject: 'Grüße', text: 'Hello', idempotencyKey: 'abc-1' })
  expect(letters).toHaveLength(1)
  expect(letters[0]).toContain('Message-ID: <abc-1@outpost.test>')
  expect(letters[0]).toContain('To: asha@mail.test')
  expect(await mail.written()).toEqual([])
  mail.close()
  await new Promise<void>((done) => server.close(() => done()))
  await expect(mail.send({ to: 'asha@mail.test', subject: 'x', text: 'y' })).rejects.toThrow()
})

test('without a server letters are written to the folder, newest first; header injection and file names of others do nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-mail-'))
  const mail = createMail({ from: 'Outpost <no-reply@outpost.test>', folder, log })
  await mail.send({ to: 'a@mail.test', subject: 'One\r\nBcc: evil@mail.test', text: 'first' })
  await new Promise((done) => setTimeout(done, 3))
  await mail.send({ to: 'b@mail.test', subject: 'Two', text: 'second', html: '<p>second</p>' })
  const [newest, oldest] = await mail.written()
  expect(await mail.read(newest?.file ?? '')).toContain('Subject: Two')
  expect(await mail.read(oldest?.file ?? '')).not.toMatch(/^Bcc:/m)
  expect(await mail.read('../../etc/passwd')).toBeUndefined()
  await rm(folder, { recursive: true, force: true })
})
