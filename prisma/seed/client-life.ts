import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

export type DemoClient = Record<string, unknown> & { id: string }
interface Making {
  company: DemoCompany
  clients: readonly DemoClient[]
  now: number
}

const day = 86_400_000
const groupSize = 6
const mostGroups = 4

/** What belongs to the clients of a company, as rows by table: papers, next of kin, groups with their meetings, contacts, and the jobs that look after them. */
export function companyClientLife(making: Making): [table: string, rows: object[]][] {
  const { company, clients, now } = making
  const groups = groupsOf(making)
  const companyId = demoId(company.key)
  const looks = { companyId, type: 'clients.papers', payload: {}, runAt: new Date(now + day / 2).toISOString() }
  return [
    ['client_document', clients.flatMap((client, index) => papersOf(making, client, index))],
    ['client_kin', clients.map((client, index) => kinOf(making, client, index))],
    ['client_group', groups.map(({ group }) => group)],
    ['client_group_member', groups.flatMap(({ members }) => members)],
    ['client_group_meeting', groups.flatMap(({ changes }) => changes)],
    ['record_counter', [{ companyId, objectType: 'clientGroup', last: groups.length }]],
    ['phone_book_entry', contactsOf(making)],
    ['outbox', [{ ...looks, id: demoId(`papers ${company.key}`) }, ...groups.map(({ rollover }) => rollover)]],
  ]
}

/** An ID card each, of which some expire soon or have, and a payslip without a day. */
function papersOf({ company, now }: Making, client: DemoClient, index: number): object[] {
  const { companyId, tenantId, id: clientId, idNumber } = client
  const paper = { companyId, tenantId, clientId }
  const days = index % 9 === 0 ? 12 : index % 14 === 0 ? -5 : 200 + index * 7
  const expiresOn = new Date(now + days * day).toISOString().slice(0, 10)
  return [
    { ...paper, id: demoId(`id card ${company.key}`, index), position: 0, kind: 'ID card', number: idNumber, expiresOn },
    { ...paper, id: demoId(`payslip ${company.key}`, index), position: 1, kind: 'Payslip', number: null, expiresOn: null },
  ]
}

/** A spouse or sibling each; every third is a guarantor, and every fifth client is backed by the next one. */
function kinOf({ company, clients }: Making, client: DemoClient, index: number): object {
  const { companyId, tenantId, id: clientId, lastName } = client
  const next = index % 5 === 0 ? clients[index + 1] : undefined
  return {
    companyId,
    id: demoId(`next of kin ${company.key}`, index),
    tenantId,
    clientId,
    position: 0,
    name: next ? `${String(next['firstName'])} ${String(next['lastName'])}` : `${index % 2 === 0 ? 'Peter' : 'Grace'} ${String(lastName)}`,
    relationship: next ? 'Friend' : index % 2 === 0 ? 'Spouse' : 'Sibling',
    phonenumber: next?.['phonenumber'] ?? null,
    isGuarantor: next !== undefined || index % 3 === 0,
  }
}

const groupNames = ['Umoja', 'Tumaini', 'Neema', 'Baraka']

interface MadeGroup {
  group: object
  members: object[]
  changes: object[]
  rollover: object
}

/** The groups of a company and who is in them: neighbours of one team, that of the officer to sign in as among them; each client is in one group. */
export function demoGroups({ company, clients }: Pick<Making, 'company' | 'clients'>): { id: string; members: DemoClient[] }[] {
  const [team] = company.branches[0]?.teams ?? []
  const isOfficers = ([first]: readonly DemoClient[]) => first?.['tenantId'] === demoId(team?.code ?? '')
  return [...Map.groupBy(clients, ({ tenantId }) => tenantId).values()]
    .filter((own) => own.length >= groupSize)
    .toSorted((a, b) => Number(isOfficers(b)) - Number(isOfficers(a)))
    .slice(0, mostGroups)
    .map((own, index) => ({ id: demoId(`group ${company.key}`, index), members: own.slice(0, groupSize) }))
}

/** They meet every week; the first one leaves a meeting out and has the one after it a day later. */
function groupsOf({ company, clients, now }: Making): MadeGroup[] {
  return demoGroups({ company, clients }).map(({ id, members: own }, index) => {
    const [first] = own as [DemoClient]
    const { companyId, tenantId, assignedUserId, createdByUserId } = first
    const begins = new Date(now - (30 + index) * day)
    begins.setUTCHours(7, 0, 0, 0)
    const weeks = Math.floor((now - begins.getTime()) / (7 * day)) + 1
    const meeting = (week: number, more = 0) => new Date(begins.getTime() + (week * 7 + more) * day).toISOString()
    const next = meeting(weeks)
    return {
      group: {
        companyId,
        id,
        tenantId,
        number: index + 1,
        name: `${groupNames[index]} group`,
        formedOn: begins.toISOString().slice(0, 10),
        assignedUserId,
        createdByUserId,
        status: 'Active',
        meetingRule: 'FREQ=WEEKLY',
        meetingStart: begins.toISOString(),
        nextMeetingAt: next,
        meetingPlace: `${String(first['city'] ?? 'Town')} hall`,
      },
      members: own.map(({ id: clientId }, place) => ({
        companyId,
        id: demoId(`member ${company.key} ${index}`, place),
        tenantId,
        groupId: id,
        position: place,
        clientId,
        role: ['Chair', 'Secretary', 'Treasurer'][place] ?? 'Member',
        joinedOn: begins.toISOString().slice(0, 10),
      })),
      changes: (index === 0 ? [1, 2] : []).map((ahead) => ({
        companyId,
        id: demoId(`changed meeting ${company.key}`, ahead),
        tenantId,
        groupId: id,
        meetingOn: meeting(weeks + ahead).slice(0, 10),
        movedTo: ahead === 1 ? null : meeting(weeks + ahead, 1),
        reason: ahead === 1 ? 'School closing day' : 'Market day',
      })),
      rollover: {
        companyId,
        id: demoId(`meeting ${company.key}`, index),
        type: 'clients.nextMeeting',
        payload: { groupId: id, at: next },
        runAt: next,
      },
    }
  })
}

/** Numbers that everybody in the company has. */
function contactsOf({ company, clients: [first] }: Making): object[] {
  if (!first) return []
  const companyId = demoId(company.key)
  const contact = { companyId, tenantId: companyId, ownerUserId: first['createdByUserId'], visibility: 'SHARED' }
  return [
    {
      ...contact,
      id: demoId(`contact ${company.key}`, 0),
      name: 'Credit bureau, help desk',
      organisation: 'Credit bureau',
      phonenumber: '0711000100',
    },
    { ...contact, id: demoId(`contact ${company.key}`, 1), name: 'Towing service', organisation: 'Road help', phonenumber: '0711000200' },
  ]
}
