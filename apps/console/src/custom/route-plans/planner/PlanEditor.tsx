import { isEqual } from 'es-toolkit/predicate/isEqual'
import { useMemo, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Segmented } from 'antd'
import { RedoOutlined, SaveOutlined, UndoOutlined } from '@ant-design/icons'
import type { PlanConflict } from '@outpost/rules/routes/route-conflicts'
import { ApiError } from '../../../data/api.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { useSession } from '../../../session/session.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { useLeaveGuard } from '../../../view/kinds/form/useLeaveGuard.tsx'
import { ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { useIsPhone } from '../../../view/useIsPhone.ts'
import type { CustomProps } from '../../props.ts'
import { draftOf, knownOf, usePeople, usePlan, useUnplanned, type Known, type PlanRow } from '../api.ts'
import { savePlan, type PlanToSave } from '../save-plan.ts'
import { ConflictQuestion, describeConflict } from './ConflictQuestion.tsx'
import { DayBoard } from '../day/DayBoard.tsx'
import { addStops, begin, daysOf, emptyDraft, redo, step, undo, type Draft, type History } from './draft.ts'
import type { EditorPart } from './part.ts'
import { PlanFieldsForm } from './PlanFieldsForm.tsx'
import { PlanMap } from './PlanMap.tsx'
import { PoolPanel } from './PoolPanel.tsx'
import { useDayTimes } from './useDayTimes.ts'
import { isHard } from '../formats.ts'
import { useToday } from '../../../view/clock.ts'
import '../route-plans.css'

/** Makes or changes a route plan: choose activities, give them to agents, order the stops, see at once what cannot be kept. */
export function PlanEditor({ params }: CustomProps) {
  const { layout } = useSession()
  const plan = usePlan(params.id)
  const timeZone = layout?.company.timeZone ?? 'UTC'
  const today = useToday(timeZone)
  if (params.id === undefined) return <Editor key="new" start={emptyDraft(today)} timeZone={timeZone} />
  if (plan.error) return <ErrorState error={plan.error} what={t('This plan')} onRetry={plan.refetch} />
  if (!plan.data) return <LoadingState rows={10} />
  return <Editor key={params.id} start={draftOf(plan.data)} base={plan.data.plan} own={plan.data.stops.map(knownOf)} timeZone={timeZone} />
}

interface EditorProps {
  start: Draft
  base?: PlanRow
  own?: Known[]
  timeZone: string
}

const noOne: Known[] = []
type Part = 'stops' | 'activities' | 'map'
const parts: { value: Part; label: string }[] = [
  { value: 'activities', label: 'Activities' },
  { value: 'stops', label: 'Stops' },
  { value: 'map', label: 'Map' },
]

function Editor({ start: given, base, own = noOne, timeZone }: EditorProps) {
  // What the plan was when it was opened: a live refresh must not change what one works on.
  const [{ start, mine }] = useState({ start: given, mine: own })
  const [history, setHistory] = useState<History>(() => begin(start))
  const draft = history.now
  const change = (next: Draft) => setHistory((before) => step(before, next))
  const { address, patch } = useAddress()
  const isPhone = useIsPhone()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isPicking, setPicking] = useState(false)
  const [made, setMade] = useState<Known[]>(noOne)
  const people = usePeople()
  const unplanned = useUnplanned(draft.fields.startDate, draft.fields.endDate)
  const known = useMemo(
    () => new Map([...mine, ...made, ...(unplanned.data ?? []).map(knownOf)].map((one) => [one.id, one])),
    [mine, made, unplanned.data],
  )
  const { days, conflicts, settle } = useDayTimes(draft, known, { planId: base?.Id, timeZone })
  const dates = daysOf(draft)
  const day = dates.includes(textOf(address.day) ?? '') ? (textOf(address.day) as string) : (dates[0] as string)
  const part = parts.find(({ value }) => value === address.part)?.value ?? 'activities'
  const [search, setSearch] = useState('')
  const saving = useSaving({
    draft,
    start,
    base,
    days,
    people: people.data ?? [],
    settle,
    describe: (conflict) => describeConflict(conflict, { known, people: people.data ?? [] }),
    onShow: (date) => patch({ day: date, part: 'stops' }),
  })
  const onMade: EditorPart['onMade'] = (activity, { userId, day: date }) => {
    setMade((before) => [...before, activity])
    change(addStops(draft, { activities: [activity], agents: [userId], day: date, timeZone }))
  }
  const shared: EditorPart = {
    draft,
    change,
    known,
    days,
    conflicts,
    settle,
    search,
    onSearch: setSearch,
    day,
    timeZone,
    people: people.data ?? [],
    selected,
    onSelect: setSelected,
    onMade,
    isPicking,
    onPicking: setPicking,
  }
  const shows = (one: Part) => !isPhone || part === one
  return (
    <div className="rp" role="presentation" onKeyDown={(event) => undoKey(event, setHistory)}>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t(base ? 'Edit route plan' : 'New route plan')}</h1>
        </div>
        <div className="view-header-actions">
          <Button
            icon={<UndoOutlined aria-hidden />}
            aria-label={t('Undo')}
            title={`${t('Undo')} (Ctrl+Z)`}
            disabled={history.past.length === 0}
            onClick={() => setHistory(undo)}
          />
          <Button
            icon={<RedoOutlined aria-hidden />}
            aria-label={t('Redo')}
            title={`${t('Redo')} (Ctrl+Y)`}
            disabled={history.future.length === 0}
            onClick={() => setHistory(redo)}
          />
          <Button type="primary" icon={<SaveOutlined aria-hidden />} loading={saving.isSaving} onClick={() => void saving.save()}>
            {t('Save plan')}
          </Button>
        </div>
      </header>
      {saving.error ? <Alert className="rp-error" type="error" showIcon title={saving.error} role="alert" /> : null}
      <PlanFieldsForm {...shared} wrong={saving.wrong} />
      {isPhone ? (
        <Segmented
          block
          className="rp-parts"
          aria-label={t('Part of the plan')}
          value={part}
          options={parts.map((one) => ({ ...one, label: t(one.label) }))}
          onChange={(next) => patch({ part: next })}
        />
      ) : null}
      <div className="rp-columns">
        {shows('activities') ? <PoolPanel {...shared} query={unplanned} /> : null}
        {shows('map') ? <PlanMap {...shared} /> : null}
        {shows('stops') ? <DayBoard {...shared} dates={dates} onDay={(next) => patch({ day: next })} /> : null}
      </div>
      {saving.dialog}
    </div>
  )
}

/** Ctrl+Z and Ctrl+Y outside of inputs, which have their own. */
function undoKey(event: React.KeyboardEvent, setHistory: (change: (before: History) => History) => void): void {
  if (!(event.ctrlKey || event.metaKey) || (event.target as HTMLElement).matches('input, textarea')) return
  const key = event.key.toLowerCase()
  if (key === 'z' || key === 'y') event.preventDefault()
  if (key === 'z') setHistory(event.shiftKey ? redo : undo)
  if (key === 'y') setHistory(redo)
}

const partNames = { fields: 'Name, days and settings', agents: 'Agents', stops: 'Stops', setTimes: 'Times of the activities' } as const

interface Saving extends PlanToSave {
  settle: () => Promise<PlanConflict[]>
  describe: (conflict: PlanConflict) => string
  /** Opens the day of the first thing that cannot be kept. */
  onShow: (day: string) => void
}

function useSaving({ settle, describe, onShow, ...plan }: Saving) {
  const { draft, start } = plan
  const navigate = useNavigate()
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [asked, setAsked] = useState<PlanConflict[]>()
  const changed = (Object.keys(partNames) as (keyof Draft)[]).filter((key) => !isEqual(draft[key], start[key]))
  const guard = useLeaveGuard(changed.length > 0, () => changed.map((key) => t(partNames[key])))
  const store = async () => {
    setAsked(undefined)
    const { queued } = await savePlan(plan)
    guard.release()
    toast.success({ title: t(queued ? 'The plan is saved on this device and sent when there is a connection' : 'The plan is saved') })
    await navigate({ to: '/sales/activities/activity-plan' })
  }
  const during = async (work: () => Promise<void>) => {
    setSaving(true)
    setFailure(undefined)
    await work().catch(setFailure)
    setSaving(false)
  }
  const save = () =>
    during(async () => {
      const broken = (await settle()).filter(isHard)
      if (broken.length > 0) setAsked(broken)
      else await store()
    })
  const wrong =
    failure instanceof ApiError ? new Map(failure.fields?.map(({ field, message }) => [field, message])) : new Map<string, string>()
  const question = asked ? (
    <ConflictQuestion
      lines={asked.map(describe)}
      onSave={() => void during(store)}
      onClose={() => {
        setAsked(undefined)
        if (asked[0]) onShow(asked[0].day)
      }}
    />
  ) : null
  return {
    save,
    isSaving,
    dialog: (
      <>
        {guard.dialog}
        {question}
      </>
    ),
    wrong,
    error: failure === undefined ? null : wordsOf(failure),
  }
}

function wordsOf(failure: unknown): string {
  if (!(failure instanceof ApiError)) return failure instanceof Error ? t(failure.message) : String(failure)
  const fields = failure.fields?.map(({ field, message }) => `${field} ${t(message)}`).join('; ')
  return fields ? `${t(failure.message)} ${fields}` : t(failure.message)
}
