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
  'activities.create': () => ({ Id: undefined, name: 'Visit', startDate: at(0), endDate: at(1), assignedUsers: undefined, leads: undefined, clients: undefined, recurrence: undefined, statusId: undefined }),
  'activities.update': ({ filled }) => ({ id: filled['activity'], Id: undefined, name: 'Visit', assignedUsers: undefined, leads: undefined, clients: undefined, recurrence: undefined, scope: undefined }),
  'activities.assign': ({ filled, userId }) => ({ activityId: filled['activity'], userId, userIds: undefined, assignedUsers: undefined }),
  'activities.reassignOne': ({ filled, userId }) => ({ activityId: filled['activity'], userId, userIds: undefined, assignedUsers: undefined }),
  'activities.linkClient': ({ filled }) => ({ activityId: filled['activity'], clientId: filled['client'], clientIds: undefined, clients: undefined }),
  'activities.linkLead': ({ filled }) => ({ activityId: filled['activity'], leadId: filled['lead'], leadIds: undefined, leads: undefined }),
  'activities.linkEntities': ({ filled, tenantId }) => ({ activityId: filled['activity'], entities: [{ entityType: 'tenant', entityId: tenantId }] }),
  'activities.bulk': ({ filled }) => ({ ids: [filled['activity']], activities: undefined, days: 1, statusId: undefined, assignedUsers: undefined, activityTypeId: undefined, reason: undefined }),
  'activities.updateFiles': ({ filled }) => ({ activityId: filled['activity'], newFiles: [filled['stored_file']], removedFiles: [], gps: undefined, location: undefined }),
  'activities.updateAssignmentStatus': ({ filled, userId }) => ({ activityId: filled['activity'], userId, updatingUserId: undefined, statusId: filled['activity_status'], gps: undefined, location: undefined }),
  'activities.setStatus': ({ filled }) => ({ id: filled['activity'], statusId: filled['activity_status'] }),
  'activities.getAssignment': ({ filled, userId }) => ({ entityId: filled['activity'], x: userId }),
  'activities.byIds': ({ filled }) => ({ ids: filled['activity'] }),
  'activities.ofAgent': ({ userId }) => ({ id: userId }),
  'activities.remove': ({ filled }) => ({ id: filled['activity'], Id: undefined, ids: undefined }),
  'activities.restore': ({ filled }) => ({ ids: [filled['activity']] }),
  'activityTypes.create': () => ({ Id: undefined, name: `Type ${phone()}`, default: false, colour: 'blue' }),
  'activityTypes.update': ({ filled }) => ({ id: filled['activity_type'], Id: undefined, name: `Type ${phone()}`, default: false, status: 1, colour: 'blue' }),
  'activityTypes.remove': ({ filled }) => ({ id: filled['activity_type'], Id: undefined, ids: undefined }),
  'activityStatuses.create': () => ({ Id: undefined, name: `Status ${phone()}`, meaning: 'open', default: false, colour: 'blue' }),
  'activityStatuses.update': ({ filled }) => ({ id: filled['activity_status'], Id: undefined, name: `Status ${phone()}`, default: false, status: 1, meaning: 'open', colour: 'blue' }),
  'activityStatuses.remove': ({ filled }) => ({ id: filled['activity_status'], Id: undefined, ids: undefined }),
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
  'auth.impersonate': ({ side }) => ({ userName: userOf(side, 'officer').userName, reason: 'checking a report' }),
  'auth.logImpersonation': ({ side }) => ({ adminId: userOf(side, 'admin').id, impersonateId: userOf(side, 'officer').id, state: 'in-progress' }),
  'console.screen': () => ({ id: 'sales-leads' }),
  'reports.run': () => ({ report: 'userLoginReport', parameters: {}, exportFormat: undefined, format: 'csv' }),
  'geo.mapzoom': () => ({ zoom: '15', x: '0', y: '0' }),
  'geo.geocoding': () => ({ coordinates: '-1.28,36.82' }),
  'geo.devices.sendCommand': () => ({ deviceId: '7', commandType: 'engineStop' }),
}
