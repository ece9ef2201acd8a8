use Mojolicious::Lite -signatures;

app->mode('production');
app->log->level('fatal');
my @plants;

under sub ($c) {
  return 1 if ($c->req->headers->authorization // '') eq "Bearer $ENV{TOKEN}";
  $c->render(json => {error => 401, message => 'Unauthorized'}, status => 401);
  return undef;
};

post '/plants' => sub ($c) {
  my $data = $c->req->json;
  return $c->render(json => {error => 1, message => 'name and id are required'}, status => 400)
    unless ref $data eq 'HASH' && defined $data->{name} && defined $data->{id};
  push @plants, $data;
  $c->render(json => {map { defined $data->{$_} ? ($_ => $data->{$_}) : () } qw(name tag)});
};

app->start;
