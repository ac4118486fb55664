import { useQuery } from '@tanstack/react-query'
import { call } from '../../../data/calls.ts'

const none: readonly never[] = []
interface Choice {
  value: string
  label: string
}

/** People, roles and teams to choose from; none for whoever may not list them. */
export function useRecipients(): Readonly<Record<'people' | 'roles' | 'teams', Choice[]>> {
  const { data: people = none } = useQuery({
    queryKey: ['records', 'user', 'recipients'],
    retry: false,
    queryFn: async ({ signal }) => (await call('users.list', { query: { size: 1_000 } }, { signal })).data.users,
  })
  const { data: roles = none } = useQuery({
    queryKey: ['records', 'role', 'recipients'],
    retry: false,
    queryFn: async ({ signal }) =>
      (await call('roles.list', { query: { size: 1_000, sortField: 'name', sortOrder: 'ASC' } }, { signal })).data.roles,
  })
  const { data: teams = none } = useQuery({
    queryKey: ['records', 'team', 'recipients'],
    retry: false,
    queryFn: async ({ signal }) =>
      (await call('teams.list', { query: { size: 1_000, sortField: 'name', sortOrder: 'ASC' } }, { signal })).data.teams,
  })
  return {
    people: people.map(({ Id, firstName, lastName }) => ({ value: Id, label: `${firstName} ${lastName}` })),
    roles: roles.map(({ name }) => ({ value: name, label: name })),
    teams: teams.map(({ Id, name }) => ({ value: Id, label: name })),
  }
}
