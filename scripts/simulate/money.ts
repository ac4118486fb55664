import { randomBytes } from 'node:crypto'
import { secretBytes, signatureOf } from '@outpost/platform/standard-webhooks'

/** How the simulator speaks to a server: calls with a person's rights, and calls of a provider. Both give status and text. */
export interface MoneyLink {
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: unknown }>
  /** A text is sent as it is. */
  hook(path: string, body: object | URLSearchParams | string, headers?: Record<string, string>): Promise<{ status: number; text: string }>
}
export interface MoneyPlan {
  /** Payments to send. */
  payments: number
  /** USSD sessions to play. */
  sessions: number
  /** Each payment is reported so many times at once, as providers do. */
  copies: number
  /** 0 up to 1, another one at each call. */
  random(): number
}
/** What was sent and how it was taken. */
export interface MoneyTally {
  payments: number
  unknown: number
  /** Payments of the provider that signs. */
  signed: number
  copies: number
  payouts: number
  failed: number
  sessions: number
  refused: number
}

interface Loan {
  loanNumber: string
  instalment: number
}
interface Payout {
  Id: string
}

/**
 * Plays M-Pesa and a USSD gateway against a server: payments of loans that run (every seventh under a reference that nobody knows), each reported several times
 * at once; every third loan is paid once more by a provider that signs its messages, also several times at once; results for payouts that were sent (every fifth
 * fails, every third is told by the provider that signs); sessions from numbers of clients. Gives what was sent.
 */
export async function simulateMoney(link: MoneyLink, plan: MoneyPlan): Promise<MoneyTally> {
  const tally: MoneyTally = { payments: 0, unknown: 0, signed: 0, copies: 0, payouts: 0, failed: 0, sessions: 0, refused: 0 }
  const [money, ussd] = [await openDoor(link, '/api/money-connections'), await openDoor(link, '/api/ussd/connections')]
  const signed = await openSigned(link)
  const currency = await currencyOf(link)
  const loans = await listOf<Loan>(link, 'loans', '/api/loans', [{ field: 'status', op: 'eq', value: 'Active' }])
  for (let index = 0; index < plan.payments; index += 1) {
    const loan = loans[Math.floor(plan.random() * loans.length)]
    const isUnknown = loan === undefined || index % 7 === 6
    const message = c2bOf(isUnknown ? `ACC${index}` : loan.loanNumber, loan?.instalment ?? 100)
    const asked = await link.hook(`/hooks/mpesa/validation/${money}`, { ...message, TransID: `V${message.TransID}` })
    if (asked.status !== 200) tally.refused += 1
    const answers = await Promise.all(Array.from({ length: plan.copies }, () => link.hook(`/hooks/mpesa/confirmation/${money}`, message)))
    tally.refused += answers.filter(({ status }) => status !== 200).length
    tally.copies += plan.copies - 1
    tally[isUnknown ? 'unknown' : 'payments'] += 1
    if (isUnknown || index % 3 !== 2) continue
    const told = paymentOf(loan, currency)
    const taken = await Promise.all(Array.from({ length: plan.copies }, () => saySigned(link, signed, told)))
    tally.refused += taken.filter(({ status }) => status !== 200).length
    tally.copies += plan.copies - 1
    tally.signed += 1
  }
  const sent = await listOf<Payout>(link, 'disbursements', '/api/disbursements', [{ field: 'status', op: 'eq', value: 'Sent' }])
  for (const [index, { Id }] of sent.entries()) {
    const isFailed = index % 5 === 4
    const { status } =
      index % 3 === 2
        ? await saySigned(link, signed, payoutOf(Id, isFailed))
        : await link.hook(`/hooks/mpesa/payout-result/${money}`, resultOf(Id, isFailed))
    tally[status !== 200 ? 'refused' : isFailed ? 'failed' : 'payouts'] += 1
  }
  const clients = await listOf<{ phonenumber: string }>(link, 'clients', '/api/clients', [])
  for (let index = 0; index < plan.sessions; index += 1) {
    const { phonenumber = '+254700000000' } = clients[Math.floor(plan.random() * clients.length)] ?? {}
    tally[(await playSession(link, ussd, { phonenumber, isLeft: index % 3 === 2 })) ? 'sessions' : 'refused'] += 1
  }
  return tally
}

async function openDoor({ call }: MoneyLink, path: string): Promise<string> {
  const { status, body } = await call('POST', path, { addresses: ['127.0.0.1', '::1'] })
  const key = (body as { data?: { key?: string } }).data?.key
  if (status !== 200 || key === undefined) throw new Error(`${path} opens no door: ${status} ${JSON.stringify(body)}`)
  return key
}

interface SignedDoor {
  key: string
  secret: string
}
async function openSigned({ call }: MoneyLink): Promise<SignedDoor> {
  const path = '/api/money-connections/signed'
  const { status, body } = await call('POST', path, { name: `simulated-${reference().toLowerCase()}` })
  const { key, secret } = (body as { data?: Partial<SignedDoor> }).data ?? {}
  if (status !== 200 || key === undefined || secret === undefined)
    throw new Error(`${path} opens no door: ${status} ${JSON.stringify(body)}`)
  return { key, secret }
}

async function currencyOf({ call }: MoneyLink): Promise<string> {
  const { body } = await call('GET', '/api/console')
  return (body as { data?: { company?: { currency?: string } } }).data?.company?.currency ?? 'KES'
}

/** Sends a message as its provider signs it. */
function saySigned({ hook }: MoneyLink, { key, secret }: SignedDoor, message: { id: string }) {
  const body = JSON.stringify(message)
  const timestamp = Math.floor(Date.now() / 1_000)
  return hook(`/hooks/money/${key}`, body, {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secretBytes(secret), { id: message.id, timestamp, body }),
  })
}

async function listOf<Row>({ call }: MoneyLink, many: string, path: string, filter: object[]): Promise<Row[]> {
  const { status, body } = await call('GET', `${path}?size=200&filter=${encodeURIComponent(JSON.stringify(filter))}`)
  const rows = (body as { data?: Record<string, Row[]> }).data?.[many]
  if (status !== 200 || rows === undefined) throw new Error(`${path} is not answered: ${status}`)
  return rows
}

const reference = () => randomBytes(5).toString('hex').toUpperCase()
const stamp = () => new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')

const paymentOf = ({ loanNumber, instalment }: Loan, currency: string) => ({
  id: reference(),
  type: 'payment.received',
  data: {
    reference: reference(),
    amount: instalment.toFixed(2),
    currency,
    billReference: loanNumber,
    payerName: 'Simulated Payer',
    payerPhone: '254733000001',
  },
})
const payoutOf = (disbursementId: string, isFailed: boolean) =>
  isFailed
    ? { id: reference(), type: 'payout.failed', data: { disbursementId, reason: 'The account of the client is closed.' } }
    : { id: reference(), type: 'payout.paid', data: { disbursementId, reference: reference() } }

const c2bOf = (BillRefNumber: string, amount: number) => ({
  TransactionType: 'Pay Bill',
  TransID: reference(),
  TransTime: stamp(),
  TransAmount: amount.toFixed(2),
  BusinessShortCode: '600638',
  BillRefNumber,
  InvoiceNumber: '',
  OrgAccountBalance: '49197.00',
  ThirdPartyTransID: '',
  MSISDN: '254708374149',
  FirstName: 'Simulated',
  MiddleName: '',
  LastName: 'Payer',
})

const resultOf = (OriginatorConversationID: string, isFailed: boolean) => ({
  Result: {
    ResultType: 0,
    ResultCode: isFailed ? 2001 : 0,
    ResultDesc: isFailed ? 'The initiator information is invalid.' : 'The service request is processed successfully.',
    OriginatorConversationID,
    ConversationID: `AG_${reference()}`,
    TransactionID: reference(),
  },
})

/** Dials and asks to be called back, or hangs up at the menu; the gateway reports the end. */
async function playSession(
  { hook }: MoneyLink,
  key: string,
  { phonenumber, isLeft }: { phonenumber: string; isLeft: boolean },
): Promise<boolean> {
  const session = { sessionId: `ATUid_${reference()}`, serviceCode: '*384*1#', phoneNumber: phonenumber, networkCode: '63902' }
  const typed = isLeft ? [''] : ['', '5', '5*2', '5*2*1']
  const answers = []
  for (const text of typed) answers.push(await hook(`/hooks/ussd/${key}`, new URLSearchParams({ ...session, text })))
  const end = {
    ...session,
    status: isLeft ? 'Incomplete' : 'Success',
    cost: 'KES 0.80',
    durationInMillis: '9000',
    hopsCount: String(typed.length),
    input: typed.at(-1) ?? '',
    lastAppResponse: '',
    errorMessage: '',
  }
  answers.push(await hook(`/hooks/ussd-ended/${key}`, new URLSearchParams(end)))
  return answers.every(({ status }) => status === 200)
}
