import { iso, nameOf } from './leads.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

const hour = 3_600_000
const day = 24 * hour

export interface TraceRows {
  logins: object[]
  actions: object[]
  notifications: object[]
  labels: object[]
}

/** What people leave behind: sign-ins and starts and ends of the day over two weeks, notifications, words of the company's own. */
export function companyTraces({ company, users, now }: { company: DemoCompany; users: DemoUser[]; now: number }): TraceRows {
  return {
    logins: users.flatMap((user) => loginsOf(user, now)),
    actions: users.filter(({ role }) => role === 'officer').flatMap((user) => daysOf(user, company, now)),
    notifications: users.flatMap((user) => notificationsOf(user, users, now)),
    labels: company.country === 'ZM' ? [label(company, 'Branch', 'Office'), label(company, 'Post code', 'Postal box')] : [],
  }
}

function loginsOf(user: DemoUser, now: number): object[] {
  const random = createRandom(`logins ${user.id}`)
  const days = Array.from({ length: 14 }, (_, back) => back).filter(() => random.next() < 0.7)
  return days.map((back) => ({
    companyId: user.companyId,
    id: demoId(`login ${user.id}`, back),
    userId: user.id,
    kind: random.weighted([
      ['login', 12],
      ['refused', 1],
    ]),
    ip: `10.20.${random.int(0, 9)}.${random.int(2, 250)}`,
    userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140',
    dateCreated: iso(now - back * day - random.int(1, 10) * hour),
  }))
}

function daysOf(user: DemoUser, company: DemoCompany, now: number): object[] {
  const random = createRandom(`days ${user.id}`)
  const { lat, lng } = company.branches[0] ?? { lat: null, lng: null }
  const midnight = now - (now % day)
  return Array.from({ length: 10 }, (_, index) => index + 1).flatMap((back) =>
    [1, 0].map((action) => {
      const at = midnight - back * day + (action === 1 ? 5 : 14) * hour + random.int(0, 3_000) * 1000
      return {
        companyId: user.companyId,
        tenantId: user.tenantIds[0],
        id: demoId(`action ${user.id}`, back * 2 + action),
        performedByUserId: user.id,
        action,
        latitude: lat,
        longitude: lng,
        accuracy: random.int(4, 30),
        source: 'live',
        deviceTime: iso(at),
        dateCreated: iso(at),
      }
    }),
  )
}

function notificationsOf(user: DemoUser, users: DemoUser[], now: number): object[] {
  const random = createRandom(`notifications ${user.id}`)
  const texts: readonly [itemType: string, text: string][] = [
    ['Activity', 'planned a client visit with you'],
    ['Comment', 'commented on a lead of yours'],
    ['Message', 'sent you a message'],
  ]
  return texts.map(([itemType, text], index) => {
    const at = now - (index * 9 + random.int(1, 8)) * hour
    return {
      companyId: user.companyId,
      id: demoId(`notification ${user.id}`, index),
      userId: user.id,
      itemType,
      itemId: null,
      message: `${nameOf(random.pick(users))} ${text}`,
      link: null,
      readAt: index === 2 ? iso(at + hour) : null,
      dateCreated: iso(at),
    }
  })
}

const label = (company: DemoCompany, word: string, value: string) => ({
  companyId: demoId(company.key),
  id: demoId(`label ${company.key} ${word}`),
  language: 'en',
  label: word,
  value,
})
