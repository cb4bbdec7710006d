apt-get purge -y reactor
