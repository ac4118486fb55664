import { lazy, Suspense, useState } from 'react'
import { Button, Dropdown } from 'antd'
import { useModal } from '../../../../feedback/ModalHost.tsx'
import { DownOutlined, StarFilled } from '@ant-design/icons'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import type { ListView } from '@outpost/contract/views'
import { useConnection } from '../../../../data/connection.ts'
import { toast } from '../../../../feedback/toast.ts'
import { t } from '../../../../session/labels.ts'
import { isSame } from '../list-state.ts'
import type { ListFilter } from '../list-state.ts'
import { useAddress } from '../../../address.ts'
import { plainView, sharedAddress, shareLabels } from './saved-views.ts'
import type { SavedView, SavedViewInput, useSavedViews } from './saved-views.ts'
import type { ShareInput } from './ShareDialog.tsx'
import type { Arrangement } from '../table/useColumns.ts'

const ShareDialog = lazy(async () => ({ default: (await import('./ShareDialog.tsx')).ShareDialog }))
const SaveViewDialog = lazy(async () => ({ default: (await import('./SaveViewDialog.tsx')).SaveViewDialog }))

interface SavedViewTabsProps {
  view: ListView
  saved: ReturnType<typeof useSavedViews>
  current: SavedView | undefined
  base: ListFilter
  filter: ListFilter
  arrangement: Arrangement
  /** Columns or density differ from the saved view. */
  isChanged: boolean
  onSaved: () => void
}

/** The saved views of a list as tabs, and what can be done with the one on the screen. */
export function SavedViewTabs({ view, saved, current, base, filter, arrangement, isChanged, onSaved }: SavedViewTabsProps) {
  const [dialog, setDialog] = useState<'create' | 'edit' | 'share'>()
  const navigate = useNavigate()
  const router = useRouter()
  const { address } = useAddress()
  const modal = useModal()
  const isMine = current !== undefined && current.isMine !== false
  const { isOnline } = useConnection()
  const isLent = typeof current?.sharedBy === 'string'
  const isEditing = dialog === 'edit'
  const isModified = isChanged || !isSame(filter, base)
  const state = { ...filter, ...arrangement }
  const open = (id: string) => navigate({ to: '.', search: { view: id } as never })
  const attempt = (work: Promise<unknown>, then: () => void) =>
    work.then(then, (error: unknown) =>
      toast.danger({ title: t('The view was not saved'), body: error instanceof Error ? error.message : undefined }),
    )
  const submit = (input: SavedViewInput) => {
    if (isEditing && current) return attempt(saved.change.mutateAsync({ Id: current.Id, ...input }), () => setDialog(undefined))
    return attempt(
      saved.create.mutateAsync(input).then(({ Id }) => {
        onSaved()
        return open(Id)
      }),
      () => setDialog(undefined),
    )
  }
  // A view of somebody else is shared by a copy of one's own.
  const share = async (input: ShareInput) => {
    if (isMine) await saved.change.mutateAsync({ Id: current.Id, ...input })
    else await open((await saved.create.mutateAsync({ name: current?.name ?? '', isDefault: false, state, ...input })).Id)
    toast.success({ title: sharedWords(input) })
  }
  const leave = () => current && void attempt(saved.leave.mutateAsync(current.Id), () => void open(plainView))
  const overwrite = () => current && void attempt(saved.change.mutateAsync({ Id: current.Id, state }).then(onSaved), () => open(current.Id))
  const drop = () =>
    current &&
    modal.confirm({
      title: `${t('Delete the view')} “${current.name}”?`,
      okText: t('Delete'),
      okButtonProps: { danger: true },
      onOk: () => attempt(saved.remove.mutateAsync(current.Id), () => void open(plainView)),
    })
  const copyLink = async () => {
    const { href } = router.buildLocation({ to: '.', search: sharedAddress(view, address, { current, base, filter }) as never })
    try {
      await navigator.clipboard.writeText(new URL(href, location.href).href)
      toast.success({ title: t('Link copied'), body: t('Whoever opens it sees the same filter, on the records they may see.') })
    } catch {
      toast.danger({ title: t('The link could not be copied'), body: new URL(href, location.href).href, seconds: 0 })
    }
  }
  const items = [
    ...(isMine && isModified ? [{ key: 'save', label: t('Save'), onClick: overwrite }] : []),
    { key: 'create', label: t(isLent ? 'Copy as my own…' : 'Save as…'), onClick: () => setDialog('create') },
    { key: 'link', label: t('Copy link'), onClick: () => void copyLink() },
    ...(isLent ? [] : [{ key: 'share', label: t('Share with…'), disabled: !isOnline, onClick: () => setDialog('share') }]),
    ...(isLent ? [{ key: 'leave', label: t('Remove from my views'), disabled: !isOnline, onClick: leave }] : []),
    ...(isMine
      ? [
          { key: 'edit', label: t('Rename, default…'), onClick: () => setDialog('edit') },
          { key: 'drop', label: t('Delete'), danger: true, onClick: drop },
        ]
      : []),
  ]
  return (
    <div className="list-views">
      <nav aria-label={t('Saved views')}>
        <ul>
          <li>
            <Tab id={plainView} isCurrent={!current}>
              {t('All')}
            </Tab>
          </li>
          {saved.views.map((one) => (
            <li key={one.Id}>
              <Tab id={one.Id} isCurrent={one.Id === current?.Id} title={one.isGiven ? undefined : t(whoseWords(one))}>
                {one.isDefault ? <StarFilled aria-label={t('default')} className="list-views-star" /> : null}
                {one.name}
                {one.sharedBy ? (
                  <span className="list-views-by">
                    {' '}
                    {t('shared by')} {one.sharedBy}
                  </span>
                ) : null}
              </Tab>
            </li>
          ))}
        </ul>
      </nav>
      {isModified ? (
        <span className="list-views-modified" role="status">
          {t('modified')} <span aria-hidden>*</span>
        </span>
      ) : null}
      {isModified && isMine ? (
        <Button size="small" type="link" onClick={overwrite} loading={saved.change.isPending}>
          {t('Save')}
        </Button>
      ) : null}
      <Dropdown trigger={['click']} menu={{ items }}>
        <Button size="small" type="text" aria-haspopup="menu" aria-label={t('View options')}>
          {t('View')} <DownOutlined aria-hidden />
        </Button>
      </Dropdown>
      {dialog === 'share' ? (
        <Suspense fallback={null}>
          <ShareDialog
            own={isMine ? current : undefined}
            name={current?.name ?? ''}
            mayShare={saved.mayShare}
            onShare={share}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      ) : dialog ? (
        <Suspense fallback={null}>
          <SaveViewDialog
            title={isEditing ? t('Change the view') : `${t('Save')} “${t(view.title)}” ${t('as a view')}`}
            mayShare={saved.mayShare}
            start={isEditing && current ? current : { name: isLent ? (current?.name ?? '') : '', scope: 'user', isDefault: false, state }}
            isSaving={saved.create.isPending || saved.change.isPending}
            onSave={submit}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

const whoseWords = ({ sharedBy, sharedWith, scope }: SavedView): string =>
  sharedBy ? 'A colleague shares it with you' : sharedWith?.length ? 'Yours, shared by name' : shareLabels[scope]

function sharedWords({ scope, userIds = [] }: ShareInput): string {
  if (scope !== 'user') return `${t('Shared')}: ${t(shareLabels[scope])}`
  if (userIds.length === 0) return t('Shared with nobody any more')
  return `${t('Shared with')} ${userIds.length} ${t(userIds.length === 1 ? 'colleague' : 'colleagues')}`
}

const Tab = ({ id, isCurrent, title, children }: { id: string; isCurrent: boolean; title?: string; children: React.ReactNode }) => (
  <Link
    to="."
    search={{ view: id } as never}
    className="list-views-tab"
    aria-current={isCurrent ? 'page' : undefined}
    title={title}
    activeProps={{}}
    data-current={isCurrent}
  >
    {children}
  </Link>
)
