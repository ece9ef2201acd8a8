use Dancer2;

set host         => '127.0.0.1';
set port         => $ENV{PORT};
set startup_info => 0;
set serializer   => 'JSON';
set logger       => 'null';
my @plants;

hook before => sub {
  send_error('Unauthorized', 401) unless (request->header('Authorization') // '') eq "Bearer $ENV{TOKEN}";
};

post '/plants' => sub {
  my $data = request->data;
  send_error('name and id are required', 400) unless defined $data->{name} && defined $data->{id};
  push @plants, $data;
  return {map { defined $data->{$_} ? ($_ => $data->{$_}) : () } qw(name tag)};
};

start;
