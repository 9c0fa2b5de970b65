create table {{.}}.answers (
  id         varchar not null,
  answer_key bigint not null,
  ts         bigint not null,
  product_id bigint not null,  -- of the prompt
  prompt_id  bigint not null,
  prompt_kind varchar not null, -- of prompts that are summed up together
  platform   varchar not null
);
create table {{.}}.mentions (
  answer_key bigint not null,
  ts         bigint not null,
  prompt_id  bigint not null,
  platform   varchar not null,
  product_id bigint not null,
  position   bigint not null
);
create table {{.}}.citations (
  answer_key bigint not null,
  ts         bigint not null,
  prompt_id  bigint not null,
  platform   varchar not null,
  domain     varchar not null,
  url        varchar not null
);

-- The same answers once more, packed for counting (internal/facts/packed): those
-- to the prompts of a product in a week, by kind of prompt and in parts; what
-- the answers of a part cite; and the sums by day, with the prompts of each kind.
create table {{.}}.answer_parts (
  product_id bigint not null,
  week       bigint not null,  -- its start, Unix seconds
  kind       bigint not null,  -- of prompts; the same number in all weeks
  part       bigint not null,
  mentions   blob not null,
  citations  blob not null
);
create table {{.}}.answer_sources (
  product_id bigint not null,
  week       bigint not null,
  part       bigint not null,
  domains    blob not null,
  urls       blob not null
);
create table {{.}}.answer_totals (
  product_id bigint not null,
  week       bigint not null,
  totals     blob not null
);
