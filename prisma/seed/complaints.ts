import { iso } from './leads.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

const [hour, day] = [3_600_000, 86_400_000]

interface Sketch {
  subject: string
  category: string
  channel: string
  severity: string
  product: string
  about?: true
}
const sketches: readonly Sketch[] = [
  {
    subject: 'Payment by mobile money is not on the statement',
    category: 'Repayment not posted',
    channel: 'Phone',
    severity: 'High',
    product: 'Payroll loan',
  },
  {
    subject: 'Charged twice for the same visit',
    category: 'Fees and charges',
    channel: 'Branch',
    severity: 'Medium',
    product: 'Business loan',
  },
  {
    subject: 'Was spoken to rudely at the workplace',
    category: 'Staff conduct',
    channel: 'WhatsApp',
    severity: 'High',
    product: 'Payroll loan',
    about: true,
  },
  {
    subject: 'Still listed at the credit bureau after settlement',
    category: 'Credit bureau',
    channel: 'Letter',
    severity: 'Medium',
    product: 'Payroll loan',
  },
  {
    subject: 'The loan was paid out three days late',
    category: 'Disbursement',
    channel: 'E-mail',
    severity: 'Low',
    product: 'Business loan',
  },
  {
    subject: 'Called after nine in the evening',
    category: 'Collection conduct',
    channel: 'Phone',
    severity: 'Critical',
    product: 'Payroll loan',
  },
]
const statuses = ['Open', 'In progress', 'Waiting client', 'Closed', 'Resolved', 'In progress', 'Closed'] as const

interface Given {
  company: DemoCompany
  users: readonly DemoUser[]
  clients: readonly object[]
  now: number
}

/** Complaints of the last four months, more in the last one, in all states; some are about an officer, who does not see them. */
export function companyComplaints({ company, users, clients, now }: Given): [table: string, rows: object[]][] {
  const random = createRandom(`complaints ${company.key}`)
  const officers = users.filter(({ role }) => role === 'officer')
  const handlers = users.filter(({ role }) => role === 'branch')
  const complaints = Array.from({ length: 24 }, (_, index) => {
    const sketch = sketches[index % sketches.length] as Sketch
    const officer = officers[index % officers.length]
    const handler = handlers[index % Math.max(1, handlers.length)] ?? users[0]
    const age = index < 14 ? index * 2 : 28 + (index - 14) * 9
    const received = now - age * day - 3 * hour
    const status = age > 21 ? 'Closed' : (statuses[index % statuses.length] ?? 'Open')
    const isSettled = status === 'Closed' || status === 'Resolved'
    const client = clients[random.int(0, Math.max(0, clients.length - 1))] as { id?: string } | undefined
    return {
      companyId: officer?.companyId,
      id: demoId(`complaint ${company.key}`, index),
      tenantId: officer?.tenantIds[0],
      number: 24 - index,
      ...sketchOf(sketch, officer?.id),
      status,
      clientId: client?.id ?? null,
      complainantName: client?.id ? null : 'A client',
      ownerUserId: handler?.id,
      description: null,
      receivedAt: iso(received),
      firstResponseDueAt: iso(received + day),
      firstResponseAt: status === 'Open' ? null : iso(received + 5 * hour),
      resolutionDueAt: iso(received + 7 * day),
      resolvedAt: isSettled ? iso(Math.min(now - hour, received + (index % 9) * day + 6 * hour)) : null,
      closedAt: status === 'Closed' ? iso(Math.min(now, received + 10 * day)) : null,
      regulatorDueAt: iso(received + 42 * day),
      outcome: isSettled ? (index % 3 === 0 ? 'Upheld' : 'Not upheld') : null,
      rootCause: isSettled ? (index % 3 === 0 ? 'System' : 'Misunderstanding') : null,
      redressAmount: isSettled && index % 3 === 0 ? 500 : null,
      resolution: isSettled ? 'Looked at with the branch and explained to the client.' : null,
      createdByUserId: handler?.id,
      dateCreated: iso(received),
    }
  })
  const waiting = complaints.filter(({ status }) => status === 'Waiting client')
  const answered = complaints.filter(({ firstResponseAt }) => firstResponseAt !== null)
  const companyId = complaints[0]?.companyId
  return [
    ['complaint', complaints],
    [
      'complaint_pause',
      waiting.map(({ id, receivedAt }, index) => ({
        companyId,
        id: demoId(`complaint pause ${company.key}`, index),
        complaintId: id,
        reason: 'Waiting client',
        startedAt: iso(Date.parse(receivedAt) + 8 * hour),
      })),
    ],
    [
      'complaint_message',
      answered.map(({ id, firstResponseAt, ownerUserId }, index) => ({
        companyId,
        id: demoId(`complaint message ${company.key}`, index),
        complaintId: id,
        kind: 'reply',
        way: 'phone',
        text: 'We have your complaint and look into it. You hear from us within the week.',
        userId: ownerUserId,
        realUserId: ownerUserId,
        at: firstResponseAt,
      })),
    ],
    ['record_counter', [{ companyId, objectType: 'complaint', last: complaints.length }]],
  ]
}

function sketchOf({ about, ...rest }: Sketch, officerId: string | undefined): object {
  return { ...rest, accusedUserId: about ? officerId : null }
}
