import { randomUUID } from 'node:crypto'
import { demoPassword } from '../../support/make.ts'
import type { Overrides } from './requests.ts'
import { userOf } from './world.ts'

const day = 86_400_000
const at = (days: number) => new Date(Date.now() + days * day).toISOString()
let phones = 20_000_000
const phone = () => `07${(phones += 1)}`

/** What a good input needs beyond its schema, by route: values that rules look at. */
export const goodInputs: Overrides = {
  'leads.create': () => ({ Id: randomUUID(), firstName: 'Amina', lastName: 'Probe', phonenumber: phone() }),
  'leads.onboard': () => ({ leadId: undefined, draftId: undefined, person: { firstName: 'Amina', lastName: 'Probe' }, contact: { phonenumber: phone() } }),
  'leads.onboardAlias': () => ({ leadId: undefined, draftId: undefined, person: { firstName: 'Amina', lastName: 'Probe' }, contact: { phonenumber: phone() } }),
  'leads.setStatus': () => ({ status: 'Contacted' }),
  'leads.resendConsent': () => ({ mobileNumber: '0712345678' }),
  'leads.assign': ({ userId, filled }) => ({ leadId: filled['lead'], ids: undefined, userId, agentId: undefined }),
  'leads.byTenant': () => ({ dateType: 'created' }),
  'leads.createDraft': () => ({ Id: randomUUID(), id: undefined, step: 0, furthest: 0, data: {} }),
  'leads.saveDraft': ({ filled }) => ({ id: filled['onboarding_draft'], Id: filled['onboarding_draft'], step: 0, furthest: 0, data: {} }),
  'leads.generatePdf': ({ filled }) => ({ pdfData: filled['lead'] }),
  'leads.remove': ({ filled }) => ({ id: filled['lead'], Id: undefined, ids: undefined }),
  'leads.restore': ({ filled }) => ({ ids: [filled['lead']] }),
  'activities.create': () => ({ Id: undefined, name: 'Visit', startDate: at(0), endDate: at(1), assignedUsers: undefined, leads: undefined, statusId: undefined }),
  'activities.update': ({ filled }) => ({ id: filled['activity'], Id: undefined, name: 'Visit', assignedUsers: undefined, leads: undefined }),
  'activities.remove': ({ filled }) => ({ id: filled['activity'], Id: undefined, ids: undefined }),
  'users.byEmail': ({ side }) => ({ email: userOf(side, 'officer').emailAddress }),
  'users.create': ({ tenantId }) => ({ Id: undefined, firstName: 'Amina', lastName: 'Probe', userName: `amina.${phone()}`, emailAddress: `amina.${phone()}@example.org`, tenantId, tenants: [tenantId], roles: undefined }),
  'users.restore': ({ side }) => ({ userIds: [userOf(side, 'credit').id] }),
  'users.remove': ({ side }) => ({ userIds: [userOf(side, 'credit').id] }),
  'users.updateProfile': ({ side }) => ({ id: userOf(side, 'admin').id, Id: undefined, firstName: 'Amina' }),
  'users.changePassword': ({ side }) => ({ id: userOf(side, 'admin').id, password: 'a long river of words 42', oldPassword: demoPassword }),
  'roles.create': () => ({ Id: undefined, name: `Role ${phone()}` }),
  'roles.clone': ({ filled }) => ({ id: filled['role'], name: `Role ${phone()}` }),
  'roles.compare': ({ filled, side }) => ({ a: filled['role'], b: side.role.id }),
  'tenants.create': ({ side }) => ({ Id: undefined, name: 'New branch', shortCode: phone(), type: 3, parentId: side.company.id }),
  'tenants.update': ({ tenantId }) => ({ id: tenantId, Id: undefined, name: 'Renamed', parentId: undefined }),
  'tenants.remove': ({ side }) => ({ id: side.spare.id, Id: undefined, ids: undefined }),
  'config.createLabel': () => ({ Id: undefined, language: 'en', label: phone(), value: 'x' }),
  'config.removeLabel': ({ filled }) => ({ id: filled['language_label'], Id: undefined, ids: undefined }),
  'agent.logAction': () => ({ Id: undefined, performedByUserId: undefined, action: 1 }),
  'agent.day': ({ userId }) => ({ id: userId, date: at(0).slice(0, 10) }),
  'agent.timeline': ({ userId }) => ({ id: userId, date: at(0).slice(0, 10) }),
  'agent.history': () => ({ from: at(-2).slice(0, 10), to: at(1).slice(0, 10), download: undefined }),
  'agent.summary': () => ({ thedate: at(0).slice(0, 10), period: 'day', sortField: 'region_name', sortOrder: 'DESC' }),
  'tracking.address': () => ({ lat: '-1.28', lng: '36.82' }),
  'tracking.lookup': () => ({ text: 'Nairobi' }),
  'tracking.create': () => ({ positions: undefined, sentAt: undefined, Id: undefined, id: undefined, userId: undefined, latitude: -1.28, longitude: 36.82, source: 'live', deviceTime: at(0), activityId: undefined, entityId: undefined, entityType: undefined }),
  'tracking.ofUser': ({ userId }) => ({ from: at(-1).slice(0, 10), to: at(1).slice(0, 10), id: userId }),
  'auth.impersonate': ({ side }) => ({ userName: userOf(side, 'officer').userName, reason: 'checking a report' }),
  'auth.logImpersonation': ({ side }) => ({ adminId: userOf(side, 'admin').id, impersonateId: userOf(side, 'officer').id, state: 'in-progress' }),
  'console.screen': () => ({ id: 'sales-leads' }),
  'reports.run': () => ({ report: 'userLoginReport', parameters: {}, exportFormat: undefined, format: 'csv' }),
  'geo.mapzoom': () => ({ zoom: '15', x: '0', y: '0' }),
  'geo.geocoding': () => ({ coordinates: '-1.28,36.82' }),
  'geo.devices.sendCommand': () => ({ deviceId: '7', commandType: 'engineStop' }),
}
