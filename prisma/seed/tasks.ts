import { iso } from './leads.ts'
import type { DemoUser } from './people.ts'
import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

const [hour, day] = [3_600_000, 86_400_000]

/** What officers have to do: hours from now until it is due. */
const kinds = [
  { title: 'Send the missing payslip to the head office', priority: 'High', due: -26, status: 'Open' },
  { title: 'Call back about the settlement quote', priority: 'Normal', due: 5, status: 'In progress' },
  { title: 'Order receipt books', priority: 'Low', due: 72, status: 'Open' },
  { title: 'Hand in the vehicle log of last week', priority: 'Normal', due: -80, status: 'Done' },
] as const

interface Given {
  company: DemoCompany
  users: readonly DemoUser[]
  now: number
}

/** Tasks of each loan officer, given by the leader of the team where there is one; the second is about a lead. */
export function companyTasks({
  company,
  users,
  leadsOf,
  now,
}: Given & { leadsOf: (userId: string) => readonly string[] }): [table: string, rows: object[]][] {
  const officers = users.filter(({ role }) => role === 'officer')
  const tasks = officers.flatMap((officer, place) =>
    kinds.map(({ title, priority, due, status }, index) => {
      const giver = users.find(({ role, tenantIds }) => role === 'leader' && tenantIds[0] === officer.tenantIds[0]) ?? officer
      const created = now - (5 - index) * day
      return {
        companyId: officer.companyId,
        id: demoId(`task ${company.key}`, place * kinds.length + index),
        tenantId: officer.tenantIds[0],
        number: place * kinds.length + index + 1,
        title,
        priority,
        status,
        dueAt: iso(now + due * hour),
        completedAt: status === 'Done' ? iso(now - 90 * hour) : null,
        leadId: index === 1 ? (leadsOf(officer.id)[0] ?? null) : null,
        createdByUserId: giver.id,
        createdBy: `${giver.firstName} ${giver.lastName}`,
        dateCreated: iso(created),
        dateModified: iso(created),
        userId: officer.id,
      }
    }),
  )
  return [
    ['task', tasks.map(({ userId: _, ...task }) => task)],
    ['task_assignee', tasks.map(({ companyId, id: taskId, userId, tenantId }) => ({ companyId, taskId, userId, tenantId }))],
    ['record_counter', [{ companyId: demoId(company.key), objectType: 'task', last: tasks.length }]],
  ]
}
