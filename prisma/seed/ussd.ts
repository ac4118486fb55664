import type { DemoClient } from './client-life.ts'
import { createRandom, demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

const [minute, day] = [60_000, 86_400_000]
const items = [
  ['balance', null, 'My balance', 'balance'],
  ['statement', null, 'Last payments', 'statement'],
  ['pay', null, 'Pay now', 'pay'],
  ['loan', null, 'Ask for a loan', 'loan'],
  ['more', null, 'More', 'menu'],
  ['pin', 'more', 'Set or change PIN', 'pin'],
  ['callBack', 'more', 'Call me back', 'callBack'],
] as const
const main = ['1. My balance', '2. Last payments', '3. Pay now', '4. Ask for a loan', '5. More'].join('\n')

type Hop = readonly [input: string, screen: string, response: string]
interface Way {
  state: string
  hops: readonly Hop[]
  error?: string
}
const pin: Hop = ['1', 'PIN', 'CON Enter your PIN']
const ways: readonly Way[] = [
  { state: 'COMPLETED', hops: [pin, ['••••', 'Balance', 'END Your balance was told.']] },
  {
    state: 'COMPLETED',
    hops: [
      ['4', 'PIN', 'CON Enter your PIN'],
      ['••••', 'Amount of loan', 'CON How much do you need?\n0. Back'],
      ['20000', 'Loan request', 'END Thank you. Your request is noted. We call you.'],
    ],
  },
  { state: 'ABANDONED', hops: [pin] },
  {
    state: 'COMPLETED',
    hops: [
      ['5', 'More', 'CON More\n1. Set or change PIN\n2. Call me back\n0. Back'],
      ['2', 'Call back', 'CON Call me back?\n1. Yes\n0. Back'],
      ['1', 'Call back', 'END Thank you. We call you back.'],
    ],
  },
  { state: 'TIMED_OUT', hops: [], error: 'Timed out' },
  { state: 'FAILED', hops: [['3', 'PIN', 'CON Enter your PIN']], error: 'The gateway could not reach the phone' },
]

interface Given {
  company: DemoCompany
  clients: readonly DemoClient[]
  adminId: string
  now: number
}

interface Session {
  id: string
  caller: DemoClient
  way: Way
  startedAt: number
  hops: readonly Hop[]
  duration: number
}
const at = (time: number) => new Date(time).toISOString()

/** A menu in force, the sessions of a month, and what people asked for in them. */
export function companyUssd({ company, clients, adminId, now }: Given): [table: string, rows: object[]][] {
  const companyId = demoId(company.key)
  const menuId = demoId(`ussd menu ${company.key}`)
  const callers = clients.slice(0, 18)
  const sessions = sessionsOf({ company, callers, now })
  const requests = requestsOf(company, sessions)
  const [made, published] = [at(now - 61 * day), at(now - 60 * day)]
  const version = {
    createdByUserId: adminId,
    publishedByUserId: adminId,
    publishedAt: published,
    version: 1,
    dateCreated: made,
    dateModified: published,
  }
  return [
    ['ussd_menu', [{ companyId, id: menuId, number: 1, state: 'Published', note: 'First menu', payTo: 'Paybill 600638', ...version }]],
    [
      'ussd_menu_item',
      items.map(([name, under, label, does], position) => ({
        companyId,
        id: demoId(`ussd item ${company.key}`, position),
        menuId,
        position,
        name,
        under,
        label,
        does,
      })),
    ],
    [
      'ussd_session',
      sessions.map((one, index) => ({
        companyId,
        menuId,
        menuNumber: 1,
        providerSessionId: `ATUid_${company.key}_${index}`,
        ...sessionRow(one),
      })),
    ],
    ['ussd_hop', sessions.flatMap((one) => hopRows(one).map((row) => ({ companyId, ...row })))],
    ['ussd_number', callers.flatMap((caller, index) => numberRows(company, { caller, index, sessions }))],
    ['ussd_request', requests],
    [
      'record_counter',
      [
        { companyId, objectType: 'ussdMenu', last: 1 },
        ...(requests.length === 0 ? [] : [{ companyId, objectType: 'ussdRequest', last: requests.length }]),
      ],
    ],
  ]
}

function sessionsOf({ company, callers, now }: { company: DemoCompany; callers: readonly DemoClient[]; now: number }): Session[] {
  const random = createRandom(`ussd ${company.key}`)
  if (callers.length === 0) return []
  return Array.from({ length: 64 }, (_, index) => {
    const caller = callers[index % callers.length] as DemoClient
    const way = ways[index % 11 === 0 ? 5 : index % 7 === 0 ? 4 : random.int(0, 3)] as Way
    const startedAt = now - Math.floor((index * 27 * day) / 64) - random.int(5, 300) * minute
    const hops: readonly Hop[] = [['', 'Main menu', `CON Welcome ${String(caller['firstName'])}\n${main}`], ...way.hops]
    return {
      id: demoId(`ussd session ${company.key}`, index),
      caller,
      way,
      startedAt,
      hops,
      duration: hops.length * random.int(4_000, 14_000),
    }
  })
}

const sessionRow = ({ id, caller, way, startedAt, hops, duration }: Session) => ({
  id,
  tenantId: caller['tenantId'],
  serviceCode: '*384*1#',
  msisdn: caller['trimmedPhonenumber'],
  network: '63902',
  clientId: caller.id,
  tokens: hops.length - 1,
  state: way.state,
  startedAt: at(startedAt),
  endedAt: at(startedAt + duration),
  durationMs: duration,
  hops: hops.length,
  cost: 0.8,
  lastMenu: hops.at(-1)?.[1],
  lastError: way.error ?? null,
  version: 1,
  dateCreated: at(startedAt),
  dateModified: at(startedAt + duration),
})

const hopRows = ({ id, startedAt, hops }: Session) =>
  hops.map(([input, screen, response], seq) => ({
    sessionId: id,
    seq: seq + 1,
    input,
    screen,
    response,
    ms: 20 + ((seq * 37) % 90),
    dateCreated: at(startedAt + seq * 6_000),
  }))

function numberRows(
  company: DemoCompany,
  { caller, index, sessions }: { caller: DemoClient; index: number; sessions: readonly Session[] },
): object[] {
  const own = sessions.filter((one) => one.caller === caller).map(({ startedAt }) => startedAt)
  if (own.length === 0) return []
  const [first, last] = [at(Math.min(...own)), at(Math.max(...own))]
  const id = demoId(`ussd number ${company.key}`, index)
  const known = {
    companyId: caller['companyId'],
    tenantId: caller['tenantId'],
    msisdn: caller['trimmedPhonenumber'],
    clientId: caller.id,
    network: '63902',
  }
  return [{ ...known, id, sessions: own.length, firstAt: first, lastAt: last, version: 1, dateCreated: first, dateModified: last }]
}

function requestsOf(company: DemoCompany, sessions: readonly Session[]): object[] {
  const asking = sessions.filter(({ way }) => way === ways[1] || way === ways[3])
  return asking.map(({ id: sessionId, caller, way, startedAt, duration }, index) => {
    const isLoan = way === ways[1]
    return {
      companyId: caller['companyId'],
      id: demoId(`ussd request ${company.key}`, index),
      tenantId: caller['tenantId'],
      number: asking.length - index,
      kind: isLoan ? 'Loan' : 'Call back',
      msisdn: caller['trimmedPhonenumber'],
      clientId: caller.id,
      sessionId,
      amount: isLoan ? 20_000 : null,
      status: index < 4 ? 'Open' : 'Done',
      assignedUserId: caller['assignedUserId'] ?? null,
      version: 1,
      dateCreated: at(startedAt + duration),
      dateModified: at(startedAt + duration),
    }
  })
}
