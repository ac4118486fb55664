import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import * as handle from './team.handlers.ts'
import { team } from './team.resource.ts'

const own = { own: true }
/** Whoever sets a target for a team, or reads one, must be able to name it. */
const readers = may('SALES/TEAMS', 'SALES/TARGETS')

/** Teams: a leader, members, and who was a member when. */
export const teamsArea = defineArea({
  name: 'teams',
  resources: [team],
  routes: [
    route('teams.list', 'GET', '/api/teams', readers, list(team), own),
    route('teams.get', 'GET', '/api/teams/:id', readers, get(team), own),
    route('teams.members', 'GET', '/api/teams/:id/members', may('SALES/TEAMS'), query(idInput, handle.teamMembers, handle.membersAnswer), { own: true, summary: 'Who belonged to the team from when to when' }),
    route('teams.timeline', 'GET', '/api/teams/:id/timeline', may('SALES/TEAMS'), history(team, handle.teamHistory), own),
    route('teams.create', 'POST', '/api/teams', may('SALES/TEAMS/CREATE'), create(team), own),
    route('teams.remove', 'POST', '/api/teams/delete', may('SALES/TEAMS/DELETE'), remove(team), own),
    route('teams.restore', 'POST', '/api/teams/restore', may('SALES/TEAMS/DELETE'), restore(team), own),
    route('teams.move', 'POST', '/api/teams/:id/members/move', may('SALES/TEAMS/EDIT'), command(handle.moveInput, handle.moveMember, recordAnswer(team)), { own: true, summary: 'Moves a person here from the other teams' }),
    route('teams.update', 'PUT', '/api/teams/:id', may('SALES/TEAMS/EDIT'), update(team), own),
  ],
  screens: [
    screen('/sales/teams', may('SALES/TEAMS'), listOf(team, { source: 'teams.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'sales', label: 'Teams', icon: 'team', order: 2 } }),
    screen('/sales/teams/add', may('SALES/TEAMS/CREATE'), formOf(team)),
    screen('/sales/teams/edit/:id', may('SALES/TEAMS/EDIT'), formOf(team)),
    screen('/sales/teams/view/:id', may('SALES/TEAMS'), detailOf(team, {
      overrides: { sections: [{ rows: [['name', 'leaderUserId'], ['tenantId'], ['members'], ['description']] }] },
    })),
  ],
})
