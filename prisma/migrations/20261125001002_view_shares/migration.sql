-- Colleagues with whom a person shares a saved view of their own, by name.
create table public.saved_view_share (
  "companyId" uuid not null,
  "viewId" uuid not null,
  "userId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "saved_view_share_pkey" primary key ("companyId", "viewId", "userId"),
  constraint "saved_view_share_companyId_viewId_fkey" foreign key ("companyId", "viewId") references public.saved_view ("companyId", "id") on delete cascade on update restrict
);
create index "saved_view_share_companyId_userId_idx" on public.saved_view_share ("companyId", "userId");
call ctx.protect('saved_view_share', 'company', 'select, insert, delete');
