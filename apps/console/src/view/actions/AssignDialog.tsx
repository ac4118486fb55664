import { upperFirst } from 'es-toolkit/string/upperFirst'
import { useMemo, useState } from 'react'
import { Alert, Button, Checkbox, Input, Modal } from 'antd'
import { SearchOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import type { Assignees } from '@outpost/contract/assigning'
import type { ActionView, AssignView } from '@outpost/contract/views'
import { distributeEvenly, loadsAfter } from '@outpost/rules/leads/even-shares'
import { t } from '../../session/labels.ts'
import { formatCount } from '../formats.ts'
import { ErrorText, LoadingState } from '../states/index.tsx'
import { readAssignees } from './assign.ts'
import type { Share } from './assign.ts'

interface AssignDialogProps {
  action: ActionView & { assign: AssignView }
  /** The chosen records by id, with their names. */
  names: ReadonlyMap<string, string>
  onAssign: (shares: Share[]) => void
  onClose: () => void
}

/** Asks to whom the chosen records go: each person by name with what they have open now and would have then; several share evenly. */
export function AssignDialog({ action, names, onAssign, onClose }: AssignDialogProps) {
  const ids = useMemo(() => [...names.keys()], [names])
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['assignees', action.assign.candidates.path, ids],
    queryFn: ({ signal }) => readAssignees(action.assign, ids, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const shares = useMemo(
    () =>
      distributeEvenly(
        ids.map((Id) => ({ Id })),
        data?.agents.filter(({ Id }) => chosen.has(Id)) ?? [],
      ),
    [ids, data, chosen],
  )
  const counted = `${formatCount(ids.length, false)} ${t(ids.length === 1 ? 'record' : 'records')}`
  return (
    <Modal
      open
      width={640}
      title={t(action.label)}
      okText={`${t(action.label)} ${counted}`}
      cancelText={t('Cancel')}
      okButtonProps={{ disabled: shares.length === 0, htmlType: 'button' }}
      onOk={() => onAssign(shares)}
      onCancel={onClose}
      destroyOnHidden
      className="assign-dialog"
    >
      <Chosen names={names} counted={counted} />
      {error ? (
        <Alert
          type="error"
          showIcon
          role="alert"
          title={<ErrorText error={error} />}
          action={
            <Button size="small" onClick={() => void refetch()}>
              {t('Retry')}
            </Button>
          }
        />
      ) : null}
      {isPending ? (
        <div className="assign-people">
          <LoadingState rows={6} label={t('Loading')} />
        </div>
      ) : null}
      {data ? <People assignees={data} load={action.assign.load} shares={shares} chosen={chosen} onChoose={setChosen} /> : null}
      <p className="assign-share" role="status">
        {shareWords(ids.length, chosen.size)}
      </p>
    </Modal>
  )
}

const maxNamed = 200

/** How many, the first of them by name, and the others where one asks for them. */
function Chosen({ names, counted }: { names: ReadonlyMap<string, string>; counted: string }) {
  const all = [...names.values()]
  const few = 3
  if (all.length <= few) return <p className="view-dialog-subject">{all.join(', ')}</p>
  return (
    <details className="assign-chosen">
      <summary>
        <span className="view-dialog-subject">{counted}</span>: {all.slice(0, few).join(', ')} {t('and')}{' '}
        {formatCount(all.length - few, false)} {t('more')}
      </summary>
      <ul tabIndex={0} aria-label={t('Selected records')}>
        {[...names].slice(0, maxNamed).map(([id, name]) => (
          <li key={id}>{name}</li>
        ))}
        {all.length > maxNamed ? (
          <li>
            {t('and')} {formatCount(all.length - maxNamed, false)} {t('more')}
          </li>
        ) : null}
      </ul>
    </details>
  )
}

interface PeopleProps {
  assignees: Assignees
  load: string
  shares: readonly Share[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
}
const manyPeople = 8

function People({ assignees: { agents, records }, load, shares, chosen, onChoose }: PeopleProps) {
  const [wanted, setWanted] = useState('')
  const after = useMemo(() => loadsAfter(agents, records, shares), [agents, records, shares])
  const shown = agents.filter(
    ({ Id, name, place }) => chosen.has(Id) || `${name} ${place ?? ''}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  )
  const choose = (id: string, isChosen: boolean) =>
    onChoose(isChosen ? new Set([...chosen, id]) : new Set([...chosen].filter((one) => one !== id)))
  return (
    <>
      {agents.length > manyPeople ? (
        <Input
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          placeholder={t('Search people')}
          aria-label={t('Search people')}
        />
      ) : null}
      <div className="assign-people" tabIndex={0} role="group" aria-label={t('People')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Name')}</th>
              <th scope="col" data-number="true">
                {t(upperFirst(load))}
              </th>
              <th scope="col" data-number="true">
                {t('Then')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ Id, name, place, open }) => (
              <tr key={Id} data-chosen={chosen.has(Id)}>
                <td>
                  <Checkbox checked={chosen.has(Id)} onChange={(event) => choose(Id, event.target.checked)}>
                    {name}
                    {place ? <span className="assign-place">{place}</span> : null}
                  </Checkbox>
                </td>
                <td data-number="true">{formatCount(open, false)}</td>
                <td data-number="true">
                  {after.get(Id) === open ? (
                    <span className="field-none">{formatCount(open, false)}</span>
                  ) : (
                    <strong>{formatCount(after.get(Id) ?? open, false)}</strong>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length === 0 ? (
          <p className="assign-none">{t(agents.length === 0 ? 'Nobody works in your reach' : 'Nobody has this name')}</p>
        ) : null}
      </div>
    </>
  )
}

/** What each of them gets, in words. */
function shareWords(records: number, people: number): string {
  if (people === 0) return t('Choose one person, or several who share evenly.')
  if (people === 1) return t('All go to one person.')
  const least = Math.floor(records / people)
  return `${t('Shared evenly')}: ${records % people === 0 ? least : `${least} ${t('or')} ${least + 1}`} ${t('each')}.`
}
