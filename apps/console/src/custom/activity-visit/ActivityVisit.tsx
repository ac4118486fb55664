import { useState } from 'react'
import { AimOutlined, ArrowLeftOutlined, CompassOutlined, PhoneOutlined, RightOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { Button, Input, Modal } from 'antd'
import { activityMeanings } from '@outpost/rules/activities/activity-status'
import { fixLabels, noCoordinate } from '@outpost/rules/places/fix-quality'
import type { ConsoleLayout } from '@outpost/contract/console'
import { useConnection } from '../../data/connection.ts'
import { rowStateKey, type Row } from '../../data/records.ts'
import { useSyncStatus } from '../../offline/sync/status.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { formatDateTime, formatTime } from '../../view/formats.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import { Photos } from './Photos.tsx'
import { takeStep, useVisit, type StepResult } from './useVisit.ts'
import { formatDistance, isMine, navigateLink, nextSteps, nextStop, peopleOf, placeOf, type Step } from './visit-state.ts'
import './activity-visit.css'

/** A visit, for one thumb: what, where, who, and the next step with the place where it is taken; works without a connection. */
export function ActivityVisit({ params }: CustomProps) {
  const { layout } = useSession()
  return layout && <Visit key={params.id} layout={layout} id={params.id ?? ''} />
}

type VisitData = ReturnType<typeof useVisit>

function Visit({ layout, id }: { layout: ConsoleLayout; id: string }) {
  const visit = useVisit(id, layout.user.Id)
  const { activity, statuses } = visit
  const error = activity.error ?? statuses.error
  const back = layout.screens.find(({ path, permitted }) => path === '/agents/landingpage' && permitted)?.path ?? '/'
  return (
    <div className="av">
      <Link className="av-back" to={back}>
        <ArrowLeftOutlined aria-hidden /> {t('My Work')}
      </Link>
      {error ? (
        <ErrorState
          error={error}
          what={t('This visit')}
          onRetry={() => {
            void activity.refetch()
            void statuses.refetch()
          }}
        />
      ) : activity.data?.Id && statuses.data ? (
        <Loaded layout={layout} visit={visit} activity={{ ...activity.data, Id: activity.data.Id }} />
      ) : (
        <>
          <h1 className="av-wait">{t('Visit')}</h1>
          <LoadingState rows={5} />
        </>
      )}
    </div>
  )
}

function Loaded({ layout, visit, activity }: { layout: ConsoleLayout; visit: VisitData; activity: Row & { Id: string } }) {
  const {
    meaning = 'open',
    statuses: { data: statuses = [] },
    day,
  } = visit
  const userId = layout.user.Id
  const [said, setSaid] = useState<StepResult>()
  const next = nextStop(day, { statuses, userId, activity })
  const steps = isMine(activity, userId) ? nextSteps(meaning, statuses) : []
  return (
    <>
      <What activity={activity} meaning={meaning} said={said?.isDone ? said.words : undefined} />
      <Where activity={activity} place={visit.place} />
      <Who activity={activity} />
      <Photos activity={activity} />
      {steps.length === 0 && !isMine(activity, userId) ? (
        <p className="av-soft">{t('This activity is somebody else’s; you can look at it.')}</p>
      ) : null}
      {next ? (
        <Link className="av-card av-next" to={`/sales/activities/${next.Id}/visit`}>
          <span>
            <span className="av-soft">
              {t('Next stop')} · {formatTime(next.startDate)}
            </span>
            <strong>{String(next.name)}</strong>
            <span className="av-soft">{String(next.location ?? '')}</span>
          </span>
          <RightOutlined aria-hidden />
        </Link>
      ) : null}
      <Actions
        steps={steps}
        problem={said && !said.isDone ? said.words : undefined}
        run={async (step, note) => {
          const result = await takeStep({ activity, step, note, day, statuses, layout })
          setSaid(result)
          return result.isDone
        }}
      />
    </>
  )
}

function What({ activity, meaning, said }: { activity: Row; meaning: keyof typeof activityMeanings; said: string | undefined }) {
  const { isOnline } = useConnection()
  const { isOpen } = useSyncStatus()
  const state = activity[rowStateKey]
  return (
    <header className="av-card av-what" data-waiting={state === 'pending' || undefined}>
      <div className="av-row">
        <span className="av-state" data-meaning={meaning}>
          {t(activityMeanings[meaning].label)}
        </span>
        <time dateTime={String(activity.startDate)} className="av-soft">
          {formatDateTime(activity.startDate)}–{formatTime(activity.endDate)}
        </time>
      </div>
      <h1 tabIndex={-1}>{String(activity.name)}</h1>
      {activity.typeDesc ? <p className="av-soft">{String(activity.typeDesc)}</p> : null}
      {activity.description ? <p>{String(activity.description)}</p> : null}
      {activity.statusReason ? (
        <p>
          <span className="av-soft">{t('Note')}:</span> {String(activity.statusReason)}
        </p>
      ) : null}
      <p className="av-soft" role="status">
        {said ? `${said} ` : ''}
        {state === 'pending'
          ? t('Kept on this device; sent when there is a connection.')
          : state === 'attention'
            ? t('Refused: see Needs attention.')
            : isOnline
              ? ''
              : t(isOpen ? 'No connection. You can go on working.' : 'No connection, and this device keeps no changes.')}
      </p>
    </header>
  )
}

function Where({ activity, place }: { activity: Row; place: VisitData['place'] }) {
  const target = placeOf(activity)
  const here = place.data && place.data.latitude !== noCoordinate ? place.data : undefined
  const link = navigateLink(activity, navigator.userAgent)
  return (
    <section className="av-card" aria-label={t('Place')}>
      <div className="av-row">
        <div>
          <h2>{activity.location ? String(activity.location) : t('No place given')}</h2>
          <p className="av-soft" role="status">
            {target && here ? `${formatDistance(here, target)} ${t('away')} · ` : ''}
            {t('Position')}: {t(place.data ? fixLabels[place.data.source] : 'being read')}
          </p>
        </div>
        <button
          type="button"
          className="av-icon"
          aria-label={t('Read my position again')}
          aria-busy={place.isFetching}
          onClick={() => void place.refetch()}
        >
          <AimOutlined aria-hidden />
        </button>
      </div>
      {link ? (
        <a className="av-button" href={link} target="_blank" rel="noreferrer">
          <CompassOutlined aria-hidden /> {t('Navigate')}
        </a>
      ) : null}
    </section>
  )
}

function Who({ activity }: { activity: Row }) {
  const people = peopleOf(activity)
  if (people.length === 0) return null
  return (
    <section className="av-card" aria-label={t('People')}>
      <ul className="av-people">
        {people.map(({ Id, name, phone }) => (
          <li key={Id}>
            <span>{name}</span>
            {phone ? (
              <a className="av-button" href={`tel:${phone}`} aria-label={`${t('Call')} ${name}, ${phone}`}>
                <PhoneOutlined aria-hidden /> {phone}
              </a>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The next step as one big button at the thumb, the others beside it; a note with it, a reason where it asks for one. */
function Actions({
  steps,
  problem,
  run,
}: {
  steps: readonly Step[]
  problem: string | undefined
  run: (step: Step, note: string) => Promise<boolean>
}) {
  const [asked, setAsked] = useState<Step>()
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (steps.length === 0) return null
  const go = async (step: Step, words: string) => {
    setBusy(true)
    const isDone = await run(step, words)
    setBusy(false)
    setAsked(undefined)
    if (isDone) setNote('')
  }
  const choose = (step: Step) => (step.asksWhy || step.meaning === 'done' ? setAsked(step) : void go(step, ''))
  return (
    <div className="av-actions" role="group" aria-label={t('Next step')}>
      {problem ? (
        <p className="av-problem" role="alert">
          {problem}
        </p>
      ) : null}
      {steps.map((step) => (
        <Button
          key={step.meaning}
          size="large"
          type={step.isMain ? 'primary' : 'default'}
          className={step.isMain ? 'av-main' : undefined}
          loading={isBusy && step.isMain && !asked}
          disabled={isBusy}
          onClick={() => choose(step)}
        >
          {t(step.label)}
        </Button>
      ))}
      <Modal
        open={asked !== undefined}
        title={asked ? t(asked.label) : ''}
        okText={asked ? t(asked.label) : ''}
        cancelText={t('Back')}
        onCancel={() => setAsked(undefined)}
        confirmLoading={isBusy}
        okButtonProps={{ size: 'large', disabled: asked?.asksWhy === true && note.trim() === '' }}
        cancelButtonProps={{ size: 'large' }}
        onOk={() => asked && void go(asked, note)}
        destroyOnHidden
      >
        <label className="av-note" htmlFor="av-note">
          {t(asked?.asksWhy ? 'Why?' : 'Note (optional)')}
        </label>
        <Input.TextArea
          id="av-note"
          className="av-note-text"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          maxLength={300}
          showCount
          autoSize={{ minRows: 3 }}
          autoFocus
        />
      </Modal>
    </div>
  )
}
