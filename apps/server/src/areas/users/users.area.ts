import { emptyAnswer } from '../../kernel/resource/answers.ts'
import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { command, list, noInput, query } from '../../kernel/resource/operations.ts'
import { idInput, idSchema } from '../../kernel/resource/schema.ts'
import { custom, detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { signInsAnswer } from '../auth/index.ts'
import * as answers from './user.answers.ts'
import { importAnswer, importInput, importUsers, sheetLimits } from './import/import.handlers.ts'
import { inviteUsers, revokeInvitations } from './invite.handlers.ts'
import * as me from './me.ts'
import * as people from './people.ts'
import { newUsersReport } from './new-users.report.ts'
import { passwordHistoryReport } from './password-history.report.ts'
import { getPicture, pictureInput, pictureLimits, removePicture, setPicture } from './picture.ts'
import * as preferences from './preferences.ts'
import { resetSecondFactor } from './second-factor.ts'
import { rightsPanel } from './rights.ts'
import { signInsPanel, userSignIns } from './sign-ins.ts'
import { openWorkAnswer } from './open-work.ts'
import * as handle from './user.handlers.ts'
import { userLoginReport } from './user-login.report.ts'
import * as reports from './user.reports.ts'
import { user } from './user.resource.ts'
import { userTiles, userWidgets } from './user.tiles.ts'

/** Who may choose people for work; without ADMIN/USERS they see names only, see people.ts. */
const choosers = may('ADMIN/USERS', 'SALES/LEADS', 'SALES/ACTIVITIES/ACTIVITIES', 'SALES/TEAMS', 'SALES/AGENTS/HISTORY', 'CLIENTS', 'CRM/REPORTS')
const admins = may('ADMIN/USERS')
const id = { extra: { id: idSchema } }
const restore = {
  route: 'users.restore', label: 'Restore', scope: 'bulk' as const, idField: 'userIds', many: true,
}
/** They write as fx_auth, or where the user is at home: in transactions of their own. */
const own = { own: true, ownTransaction: true }

/** The people of a company: who they are, where they work and what they may do. */
export const usersArea = defineArea({
  name: 'users',
  tiles: userTiles,
  widgets: userWidgets,
  palette: [{ resource: user, anyOf: ['ADMIN/USERS'], subtitle: `concat_ws(' · ', t."userName", t."emailAddress")`, open: '/admin/users/list?peek=', branch: 'tenantId', isPerson: true, isSmall: true, order: 40 }],
  menu: [{ key: 'administration', label: 'Administration', icon: 'setting', order: 100, hiddenOffline: true }],
  resources: [user],
  reports: [userLoginReport, passwordHistoryReport, newUsersReport],
  routes: [
    route('users.list', 'GET', '/api/users', choosers, people.people({ extra: people.listExtra, where: people.byRoleAndUser })),
    route('users.deleted', 'GET', '/api/users/deleted', may('ADMIN/USERS/DELETE'), list(user, { rows: 'deleted' })),
    route('users.loginReport', 'GET', '/api/users/loginreport', may('ADMIN/USERS', 'CRM/REPORTS'), list(reports.loginEvent, { dateType: 'at' })),
    route('users.passwordHistory', 'GET', '/api/users/password_changed_history', admins, query(reports.historyInput, reports.passwordHistory, answers.passwordHistoryAnswer)),
    route('users.loginHistory', 'GET', '/api/users/dashboard/login-history', admins, query(reports.periodInput, reports.loginHistory, answers.loginHistoryAnswer)),
    route('users.newUsers', 'GET', '/api/users/dashboard/new-users', admins, query(reports.periodInput, reports.newUsers, answers.newUsersAnswer)),
    route('users.me', 'GET', '/api/users/me/:id', anySession, query(idInput, me.consoleUser, answers.consoleUserAnswer), { beforePasswordChange: true }),
    route('users.withHighLevelTenants', 'GET', '/api/users/detailswithhighleveltenants/:id', admins, query(idInput, people.userWithHighLevelTenants, answers.highLevelAnswer)),
    route('users.byTenant', 'GET', '/api/users/bytenantid/:id', choosers, people.people({ ...id, where: people.inTenant })),
    route('users.agentsBelow', 'GET', '/api/users/getagentscte/:id', choosers, people.people({ ...id, where: people.agentsBelow })),
    route('users.byTeam', 'GET', '/api/users/by-team-id/:id', choosers, people.people({ ...id, where: people.inTeam })),
    route('users.byIds', 'GET', '/api/users/list/:ids', choosers, query(people.idsInput, people.peopleByIds, answers.peopleAnswer)),
    route('users.byEmail', 'GET', '/api/users/by-email/:email', admins, query(people.emailInput, people.userByEmail, answers.userAnswer)),
    route('users.get', 'GET', '/api/users/:id', choosers, { ...query(idInput, people.getPerson, answers.personAnswer), kind: 'get', resource: user }),
    route('users.signIns', 'GET', '/api/users/:id/sign-ins', admins, query(idInput, userSignIns, signInsAnswer), { own: true, summary: 'When, how and from where a user signed in or tried to' }),
    route('users.picture', 'GET', '/api/users/:id/picture', anySession, query(pictureInput, getPicture), { own: true, sends: 'image/*', summary: 'The picture of the caller, or of a person in reach' }),
    route('users.setPicture', 'POST', '/api/users/picture', anySession, command(noInput, setPicture, answers.pictureAnswer), { own: true, ownTransaction: true, inPerson: true, upload: pictureLimits, limit: 20 }),
    route('users.removePicture', 'DELETE', '/api/users/picture', anySession, command(noInput, removePicture, answers.pictureAnswer), { own: true, ownTransaction: true, inPerson: true }),
    route('users.create', 'POST', '/api/users', may('ADMIN/USERS/CREATE'), { ...command(handle.createInput, handle.createUser, answers.userAnswer), kind: 'create', resource: user }),
    route('users.import', 'POST', '/api/users/import', may('ADMIN/USERS/CREATE'), command(importInput, importUsers, importAnswer), { own: true, upload: sheetLimits, limit: 20, summary: 'Makes users from a CSV or XLSX file, all or none; with dryRun it says what would become of each row' }),
    route('users.invite', 'POST', '/api/users/invite', may('ADMIN/USERS/CREATE'), command(handle.manyInput, inviteUsers, answers.userIdsAnswer), { own: true, limit: 30 }),
    route('users.revokeInvitation', 'POST', '/api/users/invite/revoke', may('ADMIN/USERS/CREATE'), command(handle.manyInput, revokeInvitations, answers.userIdsAnswer), { own: true, limit: 30 }),
    route('users.restore', 'POST', '/api/users/undelete', may('ADMIN/USERS/DELETE'), command(handle.manyInput, handle.restoreUsers, answers.userIdsAnswer)),
    route('users.resetSecondFactor', 'POST', '/api/users/second-factor/reset', may('ADMIN/USERS/EDIT'), command(handle.manyInput, resetSecondFactor, answers.userIdsAnswer), { ...own, inPerson: true }),
    route('users.openWork', 'POST', '/api/users/open-work', may('ADMIN/USERS/DELETE'), query(handle.openWorkInput, handle.openWork, openWorkAnswer), { own: true, summary: 'What users would leave behind, before they are deactivated' }),
    route('users.exist', 'POST', '/api/users/exist', admins, query(handle.existInput, handle.userExists, answers.existAnswer)),
    route('users.tour', 'POST', '/api/users/tour', anySession, command(me.tourInput, me.saveTour, answers.toursAnswer), { ownTransaction: true }),
    route('users.setPreferences', 'PUT', '/api/users/preferences', anySession, command(preferences.preferencesInput, preferences.savePreferences, preferences.preferencesAnswer), { ...own, inPerson: true, summary: 'How the console looks and speaks for the caller: language, menu, width, density' }),
    route('users.updateProfile', 'PUT', '/api/users/me/:id', anySession, command(me.profileInput, me.updateProfile, answers.userAnswer), { ...own, inPerson: true, summary: 'What users change about themselves' }),
    route('users.changePassword', 'PUT', '/api/users/change-password/:id', anySession, command(me.passwordInput, me.changePassword, emptyAnswer), { ownTransaction: true, limit: 10, inPerson: true, beforePasswordChange: true }),
    route('users.update', 'PUT', '/api/users/:id', may('ADMIN/USERS/EDIT'), { ...command(handle.updateInput, handle.updateUser, answers.userAnswer), kind: 'update', resource: user }),
    route('users.remove', 'DELETE', '/api/users/delete', may('ADMIN/USERS/DELETE'), { ...command(handle.deactivateInput, handle.deactivateUsers, answers.userIdsAnswer), kind: 'remove', resource: user }),
  ],
  screens: [
    screen('/admin/users/list', admins, listOf(user, { source: 'users.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'administration', label: 'Users', icon: 'user', order: 2 } }),
    screen('/admin/users/grid', admins, listOf(user, { source: 'users.list', overrides: { presentation: 'cards' } })),
    screen('/admin/users/list-deleted', may('ADMIN/USERS/DELETE'), listOf(user, { source: 'users.deleted', overrides: { title: 'Deactivated Users', actions: [restore], routes: {}, empty: { title: 'Nobody is deactivated' } } }), { menu: { under: 'administration', label: 'Deactivated Users', icon: 'user-off', order: 3 } }),
    screen('/admin/users/logins', admins, listOf(reports.loginEvent, { source: 'users.loginReport', overrides: { exportReport: 'exportList' } }), { menu: { under: 'administration', label: 'Sign-ins', icon: 'login', order: 4 } }),
    screen('/admin/users/add', may('ADMIN/USERS/CREATE'), formOf(user, {
      overrides: { check: { route: 'users.exist', fields: ['emailAddress', 'userName', 'mobile'], message: 'Another user has this e-mail, user name or mobile.' } },
    })),
    screen('/admin/users/import', may('ADMIN/USERS/CREATE'), custom('user-import', 'Import users')),
    screen('/admin/users/view/:id', admins, detailOf(user, { panels: [rightsPanel, signInsPanel] })),
    screen('/admin/users/edit/:id', may('ADMIN/USERS/EDIT'), formOf(user)),
  ],
})
