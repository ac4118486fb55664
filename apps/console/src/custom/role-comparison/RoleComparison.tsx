import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Checkbox, Select } from 'antd'
import { call } from '../../data/calls.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import './role-comparison.css'

interface Right {
  hierarchy: string
  a: boolean
  b: boolean
}

/** Two roles side by side: what only one of them may comes first. The second one and what is shown are in the address. */
export function RoleComparison({ params: { id = '' } }: CustomProps) {
  const { address, patch } = useAddress()
  const b = textOf(address['b']) ?? ''
  const isAll = textOf(address['all']) === '1'
  const roles = useQuery({
    queryKey: ['roles', 'names'],
    queryFn: async ({ signal }) =>
      (await call('roles.list', { query: { size: 1_000, sortField: 'name', sortOrder: 'ASC' } }, { signal })).data.roles,
  })
  if (roles.error) return <ErrorState error={roles.error} what={t('Roles')} onRetry={() => void roles.refetch()} />
  if (!roles.data) return <LoadingState rows={8} />
  const nameOf = (wanted: string) => String(roles.data.find(({ Id }) => Id === wanted)?.['name'] ?? '')
  const others = roles.data.filter(({ Id }) => Id !== id).map((role) => ({ value: role.Id, label: String(role['name']) }))
  return (
    <div className="rc">
      <h1 tabIndex={-1}>{t('Compare roles')}</h1>
      <div className="rc-choice">
        <span>
          <Link to={`/admin/roles/edit/${id}`}>{nameOf(id)}</Link> {t('beside')}
        </span>
        <Select
          aria-label={t('Role to compare with')}
          placeholder={t('Choose a role')}
          showSearch={{ optionFilterProp: 'label' }}
          value={b === '' ? undefined : b}
          options={others}
          onChange={(chosen: string) => patch({ b: chosen })}
        />
        <Checkbox checked={isAll} onChange={(event) => patch({ all: event.target.checked ? 1 : undefined })}>
          {t('Show what is the same')}
        </Checkbox>
      </div>
      {b === '' ? (
        <p className="rc-none">{t('Choose a role, and what the two may is set side by side.')}</p>
      ) : (
        <Sides a={id} b={b} isAll={isAll} />
      )}
    </div>
  )
}

function Sides({ a, b, isAll }: { a: string; b: string; isAll: boolean }) {
  const compared = useQuery({
    queryKey: ['roles', 'compare', a, b],
    queryFn: async ({ signal }) => (await call('roles.compare', { query: { a, b } }, { signal })).data,
  })
  if (compared.error) return <ErrorState error={compared.error} what={t('The comparison')} onRetry={() => void compared.refetch()} />
  if (!compared.data) return <LoadingState rows={8} />
  const { onlyA, onlyB, both } = compared.data
  const differences = [
    ...onlyA.map((hierarchy) => ({ hierarchy, a: true, b: false })),
    ...onlyB.map((hierarchy) => ({ hierarchy, a: false, b: true })),
  ]
  const rights: Right[] = [
    ...differences.toSorted((one, other) => one.hierarchy.localeCompare(other.hierarchy)),
    ...(isAll ? both.map((hierarchy) => ({ hierarchy, a: true, b: true })) : []),
  ]
  return (
    <>
      <p role="status">
        {`${t('{{count}} rights differ', { count: differences.length })}, ${t('{{count}} are the same', { count: both.length })}.`}
      </p>
      {rights.length > 0 && (
        <div className="rc-table" role="region" aria-label={t('Comparison')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Right')}</th>
                <th scope="col">{compared.data.a.name}</th>
                <th scope="col">{compared.data.b.name}</th>
              </tr>
            </thead>
            <tbody>
              {rights.map((right) => (
                <tr key={right.hierarchy} data-differs={right.a !== right.b}>
                  <th scope="row">{right.hierarchy}</th>
                  <td>{right.a ? t('Yes') : t('No')}</td>
                  <td>{right.b ? t('Yes') : t('No')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
