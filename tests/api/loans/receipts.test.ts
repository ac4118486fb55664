import type { Mail } from '@outpost/platform/mail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessageJob } from '../../../apps/server/src/areas/messages/send.job.ts'
import { runJobs } from '../leads/world.ts'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

const choose = async (way: string) => {
  const chosen = await as.admin.put(`/api/settings/${lending.world.company.id}`, { receiptsBy: way })
  expect(chosen.status, chosen.text).toBe(200)
}
const running = async (over: object = {}) =>
  lending.running(dayFrom(-45), {
    clientId: await lending.client(lending.world.team, { emailAddress: `${crypto.randomUUID()}@mail.test`, ...over }),
  })
const jobs = (type: string) => runJobs(lending.world.app, lending.world.company.id, type)
const messages = async (paymentId: string, who: keyof typeof as = 'admin') => {
  const filter = encodeURIComponent(JSON.stringify([{ field: 'paymentId', op: 'eq', value: paymentId }]))
  return (await as[who].get<{ clientMessages: Row[] }>(`/api/client-messages?sortField=channel&sortOrder=ASC&filter=${filter}`)).body.data
    .clientMessages
}
const letter = async () => {
  const { mail } = lending.world.app.machine
  const [newest] = await mail.written()
  return ((await mail.read(newest?.file ?? '')) ?? '').replaceAll('=\r\n', '')
}

describe('the receipt of a payment', () => {
  it('is sent to nobody until the company or the client says how', async () => {
    const { Id } = await running()
    const { Id: payment } = await lending.pay(Id, 424, dayFrom(-1))
    expect([await jobs('loans.receipts'), await messages(payment)]).toEqual([0, []])
  })

  it.each([
    ['mail', {}, ['mail']],
    ['sms', {}, ['sms']],
    ['mailOrSms', { emailAddress: null }, ['sms']],
    ['mailOrSms', {}, ['mail']],
    ['both', {}, ['mail', 'sms']],
    ['both', { receiptsBy: 'none' }, []],
    ['none', { receiptsBy: 'both', emailAddress: null }, ['sms']],
  ])('goes by %s where the client is %j', async (way, client, channels) => {
    await choose(way)
    const { Id } = await running(client)
    const { Id: payment } = await lending.pay(Id, 424, dayFrom(-1))
    await jobs('loans.receipts')
    expect((await messages(payment)).map(({ channel, status, kind }) => [channel, status, kind])).toEqual(
      channels.map((channel) => [channel, 'Waiting', 'receipt']),
    )
    await choose('none')
  })

  it('says what was paid, for what, and what is owed, and its log says that it was sent', async () => {
    await jobs('clientMessages.send')
    await choose('mail')
    const loan = await running()
    const { Id, paymentNumber } = await lending.pay(loan.Id, 424, dayFrom(-1), { providerReference: 'SLIP-7' })
    expect([await jobs('loans.receipts'), await jobs('clientMessages.send')]).toEqual([1, 1])
    const text = await letter()
    for (const part of [
      String(paymentNumber),
      String(loan['loanNumber']),
      'KES 424.00',
      'reference SLIP-7',
      'instalment 1, principal: KES 400.00',
      'Still owed: KES 848.00',
    ])
      expect(text).toContain(part)
    const [sent] = await messages(Id)
    expect(sent).toMatchObject({ status: 'Sent', attempts: 1, sentTo: expect.stringContaining('@mail.test') as string })
    expect(sent?.['sentAt']).not.toBeNull()
    await choose('none')
  })

  it('goes out once money in suspense has its loan, and never for what was taken back before it was written', async () => {
    await choose('both')
    const { Id } = await running()
    const waiting = await lending.pay(null, 100, dayFrom(-1))
    expect(await jobs('loans.receipts')).toBe(0)
    expect((await as.admin.post(`/api/payments/${waiting.Id}/allocate`, { loanId: Id })).status).toBe(200)
    expect(await jobs('loans.receipts')).toBe(1)
    expect(await messages(waiting.Id)).toHaveLength(2)
    const wrong = await lending.pay(Id, 100, dayFrom(-1))
    expect((await as.admin.post(`/api/payments/${wrong.Id}/reverse`, { reason: 'Typed twice' })).status).toBe(200)
    await jobs('loans.receipts')
    expect(await messages(wrong.Id)).toEqual([])
    await choose('none')
  })

  it('is sent by hand, the field named where the client cannot be reached so, and not for money in suspense', async () => {
    const { Id } = await running({ emailAddress: null })
    const { Id: payment } = await lending.pay(Id, 424, dayFrom(-1))
    const send = (id: string, channel: string, who: keyof typeof as = 'admin') =>
      as[who].post(`/api/payments/${id}/send-receipt`, { channel })
    expect((await send(payment, 'sms')).status).toBe(200)
    const byMail = await send(payment, 'mail')
    expect([byMail.status, fieldsOf(byMail)]).toEqual([422, ['channel']])
    expect([(await send(payment, 'sms', 'foreign')).status, (await send(payment, 'sms', 'elsewhere')).status]).toEqual([404, 404])
    const waiting = await lending.pay(null, 100, dayFrom(-1))
    expect((await send(waiting.Id, 'sms')).status).toBe(409)
    expect([(await messages(payment)).length, await messages(payment, 'foreign'), await messages(payment, 'elsewhere')]).toEqual([
      1,
      [],
      [],
    ])
  })

  it('that fails says why at the payment, is tried again, and can be sent again by hand, once however often it is asked for at once', async () => {
    const { Id } = await running()
    const { Id: payment } = await lending.pay(Id, 424, dayFrom(-1))
    expect((await as.admin.post(`/api/payments/${payment}/send-receipt`, { channel: 'mail' })).status).toBe(200)
    const { Id: messageId } = (await messages(payment))[0] ?? { Id: '' }
    const program = await lending.program()
    const away = { send: () => Promise.reject(new Error('554 mailbox is full')) } as unknown as Mail
    const job = sendMessageJob({ mail: away, smsDomain: undefined })
    const run = () => job.run(program, { messageId }, { id: crypto.randomUUID(), attempt: 1, signal: new AbortController().signal })
    await expect(run()).rejects.toThrow('554')
    await expect(run()).rejects.toThrow('554')
    expect((await messages(payment))[0]).toMatchObject({ status: 'Waiting', statusReason: '554 mailbox is full', attempts: 2 })
    expect((await as.admin.post(`/api/client-messages/${messageId}/resend`, {})).status).toBe(409)
    await job.whenDead?.(program, { messageId }, { id: crypto.randomUUID(), userId: null, lastError: '554 mailbox is full' })
    expect((await messages(payment))[0]).toMatchObject({ status: 'Failed', statusReason: '554 mailbox is full' })
    // What is over is not sent by a try that comes late.
    await run()
    const again = await Promise.all(Array.from({ length: 5 }, () => as.admin.post(`/api/client-messages/${messageId}/resend`, {})))
    expect(again.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect((await messages(payment)).map(({ status }) => status).toSorted()).toEqual(['Failed', 'Waiting'])
    expect((await as.foreign.post(`/api/client-messages/${messageId}/resend`, {})).status).toBe(404)
  })

  it('by SMS fails in words where no gateway is set up', async () => {
    const { Id } = await running()
    const { Id: payment } = await lending.pay(Id, 424, dayFrom(-1))
    await as.admin.post(`/api/payments/${payment}/send-receipt`, { channel: 'sms' })
    const { Id: messageId } = (await messages(payment))[0] ?? { Id: '' }
    const program = await lending.program()
    const job = sendMessageJob({ mail: lending.world.app.machine.mail, smsDomain: undefined })
    await job.run(program, { messageId }, { id: crypto.randomUUID(), attempt: 1, signal: new AbortController().signal })
    expect((await messages(payment))[0]).toMatchObject({
      status: 'Failed',
      statusReason: expect.stringContaining('SMS is not configured') as string,
    })
  })
})

it('letters about a complaint are not seen by whom it is about', async () => {
  const clientId = await lending.client(lending.world.team, { emailAddress: 'quiet@mail.test' })
  const filed = await as.manager.post<{ complaint: Row }>('/api/complaints', {
    subject: 'Rude',
    category: 'Other',
    channel: 'Phone',
    severity: 'Low',
    clientId,
    accusedUserId: lending.world.people.officer.id,
  })
  expect(filed.status, filed.text).toBe(200)
  const filter = encodeURIComponent(JSON.stringify([{ field: 'clientId', op: 'eq', value: clientId }]))
  const seen = async (who: keyof typeof as) =>
    (await as[who].get<{ clientMessages: Row[] }>(`/api/client-messages?filter=${filter}`)).body.data.clientMessages.map(({ kind }) => kind)
  expect([await seen('manager'), await seen('officer')]).toEqual([['complaint'], []])
})
