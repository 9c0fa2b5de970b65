create table {{.}}.answers (
  id         varchar not null,
  answer_key bigint not null,
  ts         bigint not null,
  prompt_id  bigint not null,
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
